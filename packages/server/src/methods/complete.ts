import type { CallContext, Contract } from '@atoll-mcp/core';
import { invalidParams, type Json } from '@atoll-mcp/core';

const MAX_VALUES = 100;

type Complete<Service> = (typed: string, context: CallContext<Service>) => Promise<readonly string[]>;

/** Answers `completion/complete` for the variables of resources and the arguments of prompts. */
export async function completeFor<Service>(
  contract: Contract<Service>,
  params: Json,
  context: () => Promise<CallContext<Service>>,
): Promise<Json> {
  const argument = params.argument as { name?: unknown; value?: unknown } | undefined;
  if (typeof argument?.name !== 'string') throw invalidParams('"argument" must have a name and a value');
  const complete = completerOf(contract, params.ref as Json | undefined, argument.name);
  if (!complete) return { completion: { values: [], total: 0, hasMore: false } };
  const values = await complete(String(argument.value ?? ''), await context());
  return {
    completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
  };
}

function completerOf<Service>(
  contract: Contract<Service>,
  ref: Json | undefined,
  argument: string,
): Complete<Service> | undefined {
  if (ref?.type === 'ref/prompt') {
    const prompt = contract.prompts?.find(({ name }) => name === ref.name);
    if (!prompt) throw invalidParams(`Unknown prompt "${String(ref.name)}"`);
    return prompt.complete?.[argument];
  }
  if (ref?.type === 'ref/resource') {
    const resource = contract.resources?.find(({ uriTemplate }) => uriTemplate === ref.uri);
    if (!resource) throw invalidParams(`Unknown resource template "${String(ref.uri)}"`);
    return resource.complete?.[argument];
  }
  throw invalidParams('"ref" must be a prompt or a resource template');
}
