import {
  type ClientIdentity,
  type Era,
  INTERNAL_ERROR,
  isObject,
  type Json,
  type Logger,
  type McpApp,
  type Principal,
  ProtocolFault,
  RawResult,
  type RequestContext,
  type SessionHandle,
} from '@atoll-mcp/core';
import type { Cancellation } from './cancellation.ts';
import type { Codec, Result } from './codec.ts';
import {
  type Answer,
  faultAnswer,
  notificationText,
  type RpcRequest,
  resultAnswer,
  type Send,
  sendQuietly,
} from './json-rpc.ts';
import { reaches } from './revisions.ts';

/** Throws where a request contradicts the schema of its tool. */
export type CheckTool = (tool: Json) => void;

/** Who sent a request and how to reach them while it is under way. */
export interface Caller {
  readonly codec: Codec;
  readonly client: ClientIdentity;
  readonly capabilities: Json;
  /** Minimum level of log messages; `undefined` for none. */
  readonly logLevel: string | undefined;
  readonly path?: string | undefined;
  readonly principal?: Principal | undefined;
  readonly session?: SessionHandle;
  readonly checkTool?: CheckTool | undefined;
  /** Sends requests to a caller that waits for its own answer. */
  readonly questions?: {
    ask(send: Send, method: string, params: Json, signal: AbortSignal): Promise<Json>;
  };
}

interface ExchangeWire {
  readonly send: Send;
  readonly cancellation: Cancellation;
  readonly log: Logger;
}

/** One request: calls back once with the app's answer as the caller's revision has it. */
export function exchange(
  app: McpApp,
  request: RpcRequest,
  caller: Caller,
  wire: ExchangeWire,
  done: (answer: Answer) => void,
): void {
  const { codec } = caller;
  const { method, params: given = NOTHING } = request;
  const params = given._meta === undefined ? given : withoutMeta(given);
  const context = new ExchangeContext(caller, isObject(given._meta) ? given._meta : NOTHING, wire);
  const finish = (outcome: Result | ProtocolFault) => {
    context.end();
    const answer = answerOf(app, caller, request, context.tool, outcome, wire.log);
    try {
      done(answer);
    } catch (error) {
      wire.log.error('answer not delivered', { method, error });
    }
    wire.cancellation.settle();
  };
  const fail = (error: unknown) => finish(asFault(error, codec, method, wire.log));
  codec.handle(app, method, params, context).then(finish, fail);
}

const NOTHING: Json = {};

function withoutMeta({ _meta, ...params }: Json): Json {
  return params;
}

function answerOf(
  app: McpApp,
  { codec }: Caller,
  { id, method }: RpcRequest,
  tool: Json | undefined,
  outcome: Result | ProtocolFault,
  log: Logger,
): Answer {
  if (outcome instanceof ProtocolFault) return faultAnswer(id, outcome);
  try {
    const text = outcome instanceof RawResult ? undefined : codec.encodeText?.(app, { method, tool }, outcome);
    return resultAnswer(id, text ? new RawResult(text) : codec.encodeResult(app, { method, tool }, outcome));
  } catch (error) {
    return faultAnswer(id, asFault(error, codec, method, log));
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
  readonly foundTool: (tool: Json) => void;
  /** The tool of a call; of several, such as those of a program, the one that the client named. */
  tool: Json | undefined;
  readonly #cancellation: Cancellation;
  #checkTool: CheckTool | undefined;
  #isEnded = false;

  constructor(caller: Caller, meta: Json, { send, cancellation }: ExchangeWire) {
    this.era = caller.codec.era;
    this.client = caller.client;
    this.capabilities = caller.capabilities;
    this.meta = meta;
    if (caller.path !== undefined) this.path = caller.path;
    if (caller.principal) this.principal = caller.principal;
    if (caller.session) this.session = caller.session;
    this.#cancellation = cancellation;
    // Closures keep only what they need of the caller, which holds its request and response.
    const { logLevel, questions } = caller;
    this.onAbort = (listener) => cancellation.onAbort(listener);
    this.notify = async (method, params) => {
      const isOver = this.#isEnded || cancellation.isCancelled;
      const wanted = isOver ? undefined : wantedParams(method, params, meta, logLevel);
      if (wanted) await sendQuietly(send, notificationText(method, wanted));
    };
    this.#checkTool = caller.checkTool;
    this.foundTool = (tool) => {
      if (this.tool) return;
      this.tool = tool;
      this.#checkTool?.(tool);
    };
    if (questions) this.ask = (method, params) => questions.ask(send, method, params, cancellation.signal);
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  end(): void {
    this.#isEnded = true;
    this.#checkTool = undefined;
  }
}

/** Progress goes only to clients that gave a token, with that token; logs only to clients that set a level. */
export function wantedParams(method: string, params: Json, meta: Json, logLevel: string | undefined): Json | undefined {
  if (method === 'notifications/progress') {
    const { progressToken } = meta;
    return progressToken === undefined ? undefined : { ...params, progressToken };
  }
  if (method !== 'notifications/message') return params;
  return logLevel !== undefined && reaches(params.level, logLevel) ? params : undefined;
}

function asFault(error: unknown, codec: Codec, method: string, log: Logger): ProtocolFault {
  if (error instanceof ProtocolFault) return codec.encodeFault(error);
  log.error('request crashed', { method, error });
  return new ProtocolFault(INTERNAL_ERROR, 'Internal error');
}
