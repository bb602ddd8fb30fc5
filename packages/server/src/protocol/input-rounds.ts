import type { RawResult } from '@atoll-mcp/core';
import { isObject, type Json, type McpApp, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, MISSING_CAPABILITY } from './json-rpc.ts';

const MAX_ROUNDS = 8;

type Answered = Json | RawResult;

/**
 * Handles a request whose answer may be a question. Modern clients get the question as their answer and come back;
 * legacy clients are asked while they wait, and the app is called again with what they said.
 */
export async function handleInRounds(
  app: McpApp,
  method: string,
  params: Json,
  request: RequestContext,
): Promise<Answered> {
  const first =
    request.era === 'modern'
      ? await handleModern(app, method, params, request)
      : await app.handle(method, params, request);
  return finishRounds(app, method, params, request, first);
}

/** The same from the first result on. */
export async function finishRounds(
  app: McpApp,
  method: string,
  params: Json,
  request: RequestContext,
  first: Answered,
): Promise<Answered> {
  if (request.era === 'modern') return checked(first, request);
  let result = first;
  for (let round = 0; isQuestion(result); round++) {
    if (round === MAX_ROUNDS) throw new ProtocolFault(INTERNAL_ERROR, `${method} asked more than ${MAX_ROUNDS} times`);
    const inputResponses = await askAll(result, request);
    const { requestState } = result;
    const state = typeof requestState === 'string' ? { requestState } : {};
    result = await app.handle(method, params, { ...request, signal: request.signal, inputResponses, ...state });
  }
  return result;
}

/** Whether a request brings answers to an earlier question. */
export function isLaterRound({ inputResponses, requestState }: Json, request: RequestContext): boolean {
  return request.era === 'modern' && (inputResponses !== undefined || requestState !== undefined);
}

async function handleModern(app: McpApp, method: string, params: Json, request: RequestContext): Promise<Answered> {
  if (!isLaterRound(params, request)) return app.handle(method, params, request);
  const { inputResponses, requestState, ...rest } = params;
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw new ProtocolFault(INVALID_PARAMS, 'requestState must be the string that came with the question');
  }
  return app.handle(method, rest, {
    ...request,
    signal: request.signal,
    ...(isObject(inputResponses) && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  });
}

function checked(result: Answered, request: RequestContext): Answered {
  if (isQuestion(result)) assertAskable(result, request);
  return result;
}

type Question = Json & { readonly inputRequests?: Record<string, { method: string; params?: Json }> };

function isQuestion(result: Answered): result is Question {
  return (result as Json).resultType === 'input_required';
}

async function askAll(question: Question, request: RequestContext): Promise<Json> {
  assertAskable(question, request);
  const { ask } = request;
  if (!ask) throw new ProtocolFault(INTERNAL_ERROR, 'This client cannot be asked');
  const entries = Object.entries(question.inputRequests ?? {});
  return Object.fromEntries(
    await Promise.all(entries.map(async ([key, { method, params }]) => [key, await ask(method, params ?? {})])),
  );
}

/** A client is asked only what it said it can answer. */
function assertAskable(question: Question, request: RequestContext): void {
  for (const [key, entry] of Object.entries(question.inputRequests ?? {})) {
    const missing = missingCapability(entry, request.capabilities);
    if (!missing) continue;
    const code = request.era === 'modern' ? MISSING_CAPABILITY : INVALID_REQUEST;
    throw new ProtocolFault(code, `"${key}" needs ${entry.method}, which this client does not offer`, {
      requiredCapabilities: missing,
    });
  }
}

/** What a client would have to offer to be asked this; undefined when it offers it. */
export function missingCapability(
  { method, params }: { method: string; params?: Json },
  offered: Json,
): Json | undefined {
  if (method === 'roots/list') return offered.roots ? undefined : { roots: {} };
  if (method === 'sampling/createMessage') {
    const withTools = params?.tools !== undefined || params?.toolChoice !== undefined;
    const sampling = offered.sampling as Json | undefined;
    if (!sampling) return { sampling: withTools ? { tools: {} } : {} };
    return withTools && !sampling.tools ? { sampling: { tools: {} } } : undefined;
  }
  if (method !== 'elicitation/create') throw new ProtocolFault(INTERNAL_ERROR, `${method} is no question to a client`);
  const mode = params?.mode === 'url' ? 'url' : 'form';
  const elicitation = offered.elicitation as Json | undefined;
  // Without any mode named, a client means forms: that is all there was before 2025-11-25.
  const isImplied = mode === 'form' && elicitation && !elicitation.form && !elicitation.url;
  return elicitation?.[mode] || isImplied ? undefined : { elicitation: { [mode]: {} } };
}
