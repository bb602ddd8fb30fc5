import type { SessionHandle } from '../app.ts';
import { type Era, type Json, type McpApp, type Principal, ProtocolFault, type RequestContext } from '../app.ts';
import type { ClientIdentity } from '../contract.ts';
import type { Logger } from '../logger.ts';
import type { Cancellation } from './cancellation.ts';
import { handleInRounds } from './input-rounds.ts';
import {
  type Answer,
  faultAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isObject,
  notificationText,
  type RpcRequest,
  resultAnswer,
  type Send,
  sendIfHeard,
} from './json-rpc.ts';
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
  readonly ask?: (method: string, params: Json) => Promise<Json>;
}

/** One request: the app's answer in the words of the caller's era, whatever happens. */
export async function exchange(
  app: McpApp,
  request: RpcRequest,
  caller: Caller,
  wire: { readonly send: Send; readonly cancellation: Cancellation; readonly log: Logger },
): Promise<Answer> {
  const { _meta, ...params } = request.params ?? {};
  const context = contextOf(caller, isObject(_meta) ? _meta : {}, wire);
  try {
    const result = await handleInRounds(app, request.method, params, context.request);
    return resultAnswer(request.id, wireResult(app, caller.era, request.method, result));
  } catch (error) {
    return faultAnswer(request.id, asFault(error, caller.era, request.method, wire.log));
  } finally {
    context.end();
  }
}

/** What the app gets to know; after the answer it can send nothing more that would arrive behind it. */
function contextOf(caller: Caller, meta: Json, wire: { send: Send; cancellation: Cancellation }) {
  let ended = false;
  const request: Mutable<RequestContext> = {
    era: caller.era,
    client: caller.client,
    capabilities: caller.capabilities,
    meta,
    get signal() {
      return wire.cancellation.signal;
    },
    onAbort: (listener) => wire.cancellation.onAbort(listener),
    async notify(method, params) {
      const wanted =
        ended || wire.cancellation.isCancelled ? undefined : asWanted(method, params, meta, caller.logLevel);
      if (wanted) await sendIfHeard(wire.send, notificationText(method, wanted));
    },
  };
  if (caller.path !== undefined) request.path = caller.path;
  if (caller.principal) request.principal = caller.principal;
  if (caller.session) request.session = caller.session;
  if (caller.ask) request.ask = caller.ask;
  return {
    request,
    end: () => {
      ended = true;
    },
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

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
