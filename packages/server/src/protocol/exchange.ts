import type { ClientIdentity } from '@atoll-mcp/core';
import {
  type Era,
  isObject,
  type Json,
  type Logger,
  type McpApp,
  type Outcome,
  type Principal,
  ProtocolFault,
  RawResult,
  type RequestContext,
  type SessionHandle,
} from '@atoll-mcp/core';
import type { Cancellation } from './cancellation.ts';
import { finishRounds, handleInRounds, isLaterRound } from './input-rounds.ts';
import {
  type Answer,
  faultAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  notificationText,
  type RpcRequest,
  resultAnswer,
  type Send,
  sendIfHeard,
} from './json-rpc.ts';
import type { Questions } from './questions.ts';
import { reaches } from './revisions.ts';
import { wireResult } from './wire-result.ts';

/** Who sent a request and how to reach them while it is under way. */
export interface Caller {
  readonly era: Era;
  readonly client: ClientIdentity;
  readonly capabilities: Json;
  /** From which level on log messages are wanted; `undefined` is none at all. */
  readonly logLevel: string | undefined;
  readonly path?: string | undefined;
  readonly principal?: Principal | undefined;
  readonly session?: SessionHandle;
  /** Where the caller can be asked something while it waits. */
  readonly questions?: Questions;
}

interface ExchangeWire {
  readonly send: Send;
  readonly cancellation: Cancellation;
  readonly log: Logger;
}

/** One request: calls back with the app's answer in the words of the caller's era, whatever happens. */
export function exchange(
  app: McpApp,
  request: RpcRequest,
  caller: Caller,
  wire: ExchangeWire,
  done: (answer: Answer) => void,
): void {
  const { method, params: given = NOTHING } = request;
  const params = given._meta === undefined ? given : withoutMeta(given);
  const context = new ExchangeContext(caller, isObject(given._meta) ? given._meta : NOTHING, wire);
  const finish = (outcome: Outcome) => {
    context.end();
    const answer = answerOf(app, request, caller.era, outcome, wire.log);
    try {
      done(answer);
    } catch (error) {
      wire.log.error('answer not delivered', { method, error });
    }
    wire.cancellation.settle();
  };
  const fail = (error: unknown) => finish(asFault(error, caller.era, method, wire.log));
  const take = (outcome: Outcome) => {
    if (outcome instanceof RawResult) finish(outcome);
    else if (outcome instanceof Error) fail(outcome);
    else finishRounds(app, method, params, context, outcome).then(finish, fail);
  };
  try {
    const isShort = method === 'tools/call' && app.forward !== undefined && !isLaterRound(params, context);
    if (isShort && app.forward?.(params, context, take)) return;
  } catch (error) {
    return void fail(error);
  }
  handleInRounds(app, method, params, context).then(finish, fail);
}

const NOTHING: Json = {};

function withoutMeta({ _meta, ...params }: Json): Json {
  return params;
}

function answerOf(app: McpApp, { id, method }: RpcRequest, era: Era, outcome: Outcome, log: Logger): Answer {
  if (outcome instanceof ProtocolFault) return faultAnswer(id, outcome);
  try {
    return resultAnswer(id, wireResult(app, era, method, outcome as Json | RawResult));
  } catch (error) {
    return faultAnswer(id, asFault(error, era, method, log));
  }
}

/** What the app gets to know; after the answer it can send nothing more that would arrive behind it. */
class ExchangeContext implements RequestContext {
  readonly era: Era;
  readonly client: ClientIdentity;
  readonly capabilities: Json;
  readonly meta: Json;
  readonly path?: string;
  readonly principal?: Principal;
  readonly session?: SessionHandle;
  readonly onAbort: (listener: () => void) => () => void;
  readonly notify: (method: string, params: Json) => Promise<void>;
  readonly ask?: (method: string, params: Json) => Promise<Json>;
  readonly #cancellation: Cancellation;
  #isEnded = false;

  constructor(caller: Caller, meta: Json, { send, cancellation }: ExchangeWire) {
    this.era = caller.era;
    this.client = caller.client;
    this.capabilities = caller.capabilities;
    this.meta = meta;
    if (caller.path !== undefined) this.path = caller.path;
    if (caller.principal) this.principal = caller.principal;
    if (caller.session) this.session = caller.session;
    this.#cancellation = cancellation;
    this.onAbort = (listener) => cancellation.onAbort(listener);
    this.notify = async (method, params) => {
      const isOver = this.#isEnded || cancellation.isCancelled;
      const wanted = isOver ? undefined : asWanted(method, params, meta, caller.logLevel);
      if (wanted) await sendIfHeard(send, notificationText(method, wanted));
    };
    const { questions } = caller;
    if (questions) this.ask = (method, params) => questions.ask(send, method, params, cancellation.signal);
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  end(): void {
    this.#isEnded = true;
  }
}

/** Progress goes only to those who gave a token, and under that token; logs only to those who set a level. */
function asWanted(method: string, params: Json, meta: Json, logLevel: string | undefined): Json | undefined {
  if (method === 'notifications/progress') {
    const { progressToken } = meta;
    return progressToken === undefined ? undefined : { ...params, progressToken };
  }
  if (method !== 'notifications/message') return params;
  return logLevel !== undefined && reaches(params.level, logLevel) ? params : undefined;
}

const RESOURCE_NOT_FOUND_BEFORE_2026 = -32002;

function asFault(error: unknown, era: Era, method: string, log: Logger): ProtocolFault {
  if (!(error instanceof ProtocolFault)) {
    log.error('request crashed', { method, error });
    return new ProtocolFault(INTERNAL_ERROR, 'Internal error');
  }
  if (era === 'modern' && error.code === RESOURCE_NOT_FOUND_BEFORE_2026) {
    return new ProtocolFault(INVALID_PARAMS, error.message, error.data);
  }
  return error;
}
