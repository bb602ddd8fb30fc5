import type { z } from 'zod';
import { ConfirmationRequired, InputRequired } from './confirmation.ts';
import { type Content, failureCode, type ToolResult } from './content.ts';
import type { Contract, Tool, ToolContext } from './contract.ts';
import type { Envelope } from './envelope.ts';
import { ToolError } from './errors.ts';

/** Without `confirm` the user cannot be asked. */
export type CallOptions<Service> = Omit<ToolContext<Service>, 'attach' | 'confirm'> &
  Partial<Pick<ToolContext<Service>, 'confirm'>>;

/** Arguments → checked input → run → checked output → the server's own envelope. Throws only `ConfirmationRequired` and `InputRequired`. */
export async function callTool<Service>(
  contract: Contract<Service>,
  tool: Tool<Service>,
  rawArgs: unknown,
  options: Omit<CallOptions<Service>, 'service'> & { service: Service | (() => Promise<Service>) },
): Promise<ToolResult> {
  const args = contract.acceptArguments ? contract.acceptArguments(rawArgs ?? {}, tool.name) : (rawArgs ?? {});
  const envelope = envelopeOf(contract, tool);
  const call = { tool: tool.name, args, now: options.now };
  try {
    const input = tool.input.safeParse(args, PLAIN_MESSAGES);
    if (!input.success) {
      const invalid = contract.failures.invalidInput(input.error.issues, call);
      return failed(envelope.fail(invalid, call), invalid.code);
    }
    const attached: Content[] = [];
    const service = await resolveService(options.service);
    const output = await tool.run(input.data, {
      confirm: async () => 'unavailable',
      ...options,
      service,
      attach: (content) => attached.push(content),
    });
    return succeeded(envelope.ok(tool.output.parse(output), call), attached);
  } catch (error) {
    if (error instanceof ConfirmationRequired || error instanceof InputRequired) throw error;
    if (error instanceof ToolError) {
      if (!tool.errors.includes(error.code)) options.log.warn(UNDECLARED_CODE, { tool: tool.name, code: error.code });
      return failed(envelope.fail(error, call), error.code);
    }
    if (options.signal.aborted) options.log.debug('tool cancelled', { tool: tool.name, error });
    else options.log.error('tool crashed', { tool: tool.name, error });
    const internal = contract.failures.internal(error, call);
    return failed(envelope.fail(internal, call), internal.code);
  }
}

const UNDECLARED_CODE = 'tool raised an undeclared error code';

/** Zod says `undefined`; say "is required" instead. */
const PLAIN_MESSAGES: z.core.ParseContext<z.core.$ZodIssue> = {
  error: ({ code, input }) =>
    input === undefined && (code === 'invalid_type' || code === 'invalid_value') ? 'is required' : undefined,
};

const envelopes = new WeakMap<object, Envelope>();

/** The server's envelope, with the parts that the tool overrides. */
export function envelopeOf<Service>(contract: Contract<Service>, tool: Tool<Service>): Envelope {
  if (!tool.envelope) return contract.envelope;
  let merged = envelopes.get(tool);
  if (!merged) {
    merged = { ...contract.envelope, ...tool.envelope };
    envelopes.set(tool, merged);
  }
  return merged;
}

function resolveService<Service>(service: Service | (() => Promise<Service>)): Service | Promise<Service> {
  return typeof service === 'function' ? (service as () => Promise<Service>)() : service;
}

function succeeded(body: unknown, attached: readonly Content[]): ToolResult {
  return { content: [asText(body), ...attached], structuredContent: body };
}

// SDK v1 clients check structuredContent even on errors, so a bare sentence must not carry any.
function failed(body: unknown, code: string): ToolResult {
  const failure = { content: [asText(body)], isError: true, [failureCode]: code };
  return typeof body === 'string' ? failure : { ...failure, structuredContent: body };
}

function asText(body: unknown): Content {
  return { type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) };
}
