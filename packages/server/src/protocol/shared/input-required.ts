import { INTERNAL_ERROR, type Json, ProtocolFault } from '@atoll-mcp/core';
import type { Result } from './codec.ts';

/** A request to the client that has to be answered before a call can go on. */
export interface InputRequest {
  readonly method: string;
  readonly params?: Json;
}

/** A result that asks the client for input. */
export type InputRequiredResult = Json & { readonly inputRequests?: Record<string, InputRequest> };

/** Asks the client for input; the app is called again with the answers and with `requestState`. */
export function inputRequired(inputRequests: Json, requestState: string): Json {
  return { resultType: 'input_required', inputRequests, requestState };
}

export function isInputRequired(result: Result): result is InputRequiredResult {
  return (result as Json).resultType === 'input_required';
}

/** Clients get only requests that they declared a capability for; other ones fail the call with `code`. */
export function assertCapable({ inputRequests = {} }: InputRequiredResult, capabilities: Json, code: number): void {
  for (const [key, entry] of Object.entries(inputRequests)) {
    const missing = missingCapability(entry, capabilities);
    if (!missing) continue;
    throw new ProtocolFault(code, `"${key}" needs ${entry.method}, which this client does not support`, {
      requiredCapabilities: missing,
    });
  }
}

/** The capability that a client lacks for a request; undefined when it has it. */
export function missingCapability({ method, params }: InputRequest, offered: Json): Json | undefined {
  if (method === 'roots/list') return offered.roots ? undefined : { roots: {} };
  if (method === 'sampling/createMessage') {
    const withTools = params?.tools !== undefined || params?.toolChoice !== undefined;
    const sampling = offered.sampling as Json | undefined;
    if (!sampling) return { sampling: withTools ? { tools: {} } : {} };
    return withTools && !sampling.tools ? { sampling: { tools: {} } } : undefined;
  }
  if (method !== 'elicitation/create') {
    throw new ProtocolFault(INTERNAL_ERROR, `${method} is not a request that clients answer`);
  }
  const mode = params?.mode === 'url' ? 'url' : 'form';
  const elicitation = offered.elicitation as Json | undefined;
  // Without any mode named, a client means forms: that is all there was before 2025-11-25.
  const isImplied = mode === 'form' && elicitation && !elicitation.form && !elicitation.url;
  return elicitation?.[mode] || isImplied ? undefined : { elicitation: { [mode]: {} } };
}
