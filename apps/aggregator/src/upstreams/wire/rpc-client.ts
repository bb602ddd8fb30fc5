import { INTERNAL_ERROR, isObject, type Json, ProtocolFault, UnsafeJsonError } from '@atoll-mcp/core';
import { errorText, META, notificationText, readServerMessages, type ServerMessage } from '@atoll-mcp/server/protocol';
import { callTimedOut, cannotAsk } from '../../errors.ts';
import { Deadlines, extendDeadline, type Timed } from './deadlines.ts';
import { PendingCalls } from './pending-calls.ts';

export interface Answer {
  /** The result as the upstream wrote it. */
  readonly text: string;
  readonly value: Json;
}

/** Options and callbacks of a call in flight. */
export interface CallHooks {
  readonly signal?: AbortSignal | undefined;
  /** Cheaper than the signal, where available. */
  readonly onAbort?: ((listener: () => void) => () => void) | undefined;
  /** 0 means no limit. Progress restarts it. */
  readonly timeoutMs: number;
  readonly wantsProgress?: boolean;
  /** The caller, to attribute server requests that do not name their call. */
  readonly owner?: unknown;
  readonly onNotification?: (method: string, params: Json) => void;
  readonly onRequest?: ((method: string, params: Json) => Promise<Json>) | undefined;
}

/** A request that was sent and not answered yet. */
export interface PendingCall extends Timed {
  readonly id: number;
  readonly method: string;
  readonly params: Json;
  readonly hooks: CallHooks;
  /** Open server requests of this call; while there are any, it does not time out. */
  waiting: number;
  settle(outcome: Answer | Error): void;
}

/** Sends messages: over a pipe or as HTTP requests. */
export interface Sender {
  request(call: PendingCall, text: string): void;
  /** A notification, or a response to a server request. */
  send(text: string): void;
  cancel(call: PendingCall, reason: string): void;
  /** A message broke the protocol: fails `from`, the call on whose stream it arrived, or else the connection. */
  reject(why: string, from: PendingCall | undefined): void;
}

/** Messages that cannot be attributed to a call. */
export interface Unsolicited {
  onNotification(method: string, params: Json): void;
  onRequest(method: string, params: Json, underway: readonly PendingCall[]): Promise<Json>;
  onMalformed(): void;
}

/**
 * A JSON-RPC client with fresh ids and progress tokens per call, so that clients cannot interfere, and results that
 * keep their text.
 */
export class RpcClient {
  readonly #name: string;
  readonly #sender: Sender;
  readonly #unsolicited: Unsolicited;
  readonly #pending = new PendingCalls<PendingCall>();
  readonly #deadlines = new Deadlines<PendingCall>(
    () => this.underway,
    (call) => this.#expire(call),
  );
  /** Number of calls that have ended. */
  settled = 0;

  constructor(name: string, sender: Sender, unsolicited: Unsolicited) {
    this.#name = name;
    this.#sender = sender;
    this.#unsolicited = unsolicited;
  }

  get underway(): readonly PendingCall[] {
    return this.#pending.all();
  }

  isUnderway(id: number): boolean {
    return this.#pending.get(id) !== undefined;
  }

  request(method: string, params: Json, hooks: CallHooks): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.begin(method, params, hooks, (outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  /** Sends a request and calls back once, with the answer or an error. */
  begin(method: string, params: Json, hooks: CallHooks, done: (outcome: Answer | Error) => void): void {
    if (hooks.signal?.aborted) return void done(cancelled());
    const id = this.#pending.nextId();
    const sent = hooks.wantsProgress
      ? { ...params, _meta: { ...(isObject(params._meta) ? params._meta : {}), progressToken: id } }
      : params;
    let unlisten = NOTHING;
    const call: PendingCall = {
      id,
      method,
      params: sent,
      hooks,
      timeoutMs: hooks.timeoutMs,
      expiresAt: 0,
      waiting: 0,
      settle: (outcome) => {
        if (!this.#pending.remove(call)) return;
        this.settled++;
        unlisten();
        done(outcome);
      },
    };
    this.#pending.add(call);
    this.#deadlines.add(call);
    const name = JSON.stringify(method);
    this.#sender.request(call, `{"jsonrpc":"2.0","id":${id},"method":${name},"params":${JSON.stringify(sent)}}`);
    const cancel = () => {
      this.#sender.cancel(call, 'The client cancelled the call');
      call.settle(cancelled());
    };
    unlisten = hooks.onAbort ? hooks.onAbort(cancel) : listenTo(hooks.signal, cancel);
  }

  notify(method: string, params: Json): void {
    this.#sender.send(notificationText(method, params));
  }

  /** Handles incoming text. `from` is the call on whose stream it arrived, if any. */
  receive(text: string, from?: PendingCall): void {
    if (text === '') return;
    try {
      const messages = readServerMessages(text);
      if (messages.length === 0) this.#unsolicited.onMalformed();
      for (const message of messages) this.#take(message, from);
    } catch (error) {
      // Whatever an upstream sends, the failure is its own.
      this.#sender.reject(error instanceof UnsafeJsonError ? `it sent a message ${error.message}` : BAD_MESSAGE, from);
    }
  }

  /** Fails every call in flight. */
  failAll(error: Error): void {
    for (const call of this.underway) call.settle(error);
  }

  #take(message: ServerMessage, from: PendingCall | undefined): void {
    if (message.kind === 'result') this.#pending.get(message.id)?.settle(message);
    else if (message.kind === 'error') {
      const { code, message: text, data } = message.error;
      this.#pending.get(message.id)?.settle(new ProtocolFault(code, text, data));
    } else if (message.kind === 'request') void this.#reply(message, from);
    else this.#tell(message, from);
  }

  #tell(message: ServerMessage & { kind: 'notification' }, from: PendingCall | undefined): void {
    const call = this.#callOf(message.params) ?? from;
    if (message.method === 'notifications/progress') {
      // Late progress of a call that has ended.
      if (!call) return;
      this.#deadlines.add(call);
    }
    if (call?.hooks.onNotification) call.hooks.onNotification(message.method, message.params);
    else this.#unsolicited.onNotification(message.method, message.params);
  }

  /** The call of a notification, by progress token or subscription id. */
  #callOf({ progressToken, _meta }: Json): PendingCall | undefined {
    const id = progressToken ?? (isObject(_meta) ? _meta[META.subscriptionId] : undefined);
    return typeof id === 'number' ? this.#pending.get(id) : undefined;
  }

  async #reply(request: ServerMessage & { kind: 'request' }, from: PendingCall | undefined): Promise<void> {
    const { id, method, params } = request;
    try {
      const result = await (from?.hooks.onRequest
        ? askFor(from, method, params)
        : this.#unsolicited.onRequest(method, params, this.underway));
      this.#sender.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      const fault =
        error instanceof ProtocolFault ? error : new ProtocolFault(INTERNAL_ERROR, 'The request could not be answered');
      this.#sender.send(errorText(id, fault));
    }
  }

  #expire(call: PendingCall): void {
    if (call.waiting > 0) return void this.#deadlines.add(call);
    this.#sender.cancel(call, 'Timed out');
    call.settle(callTimedOut(this.#name, call.timeoutMs));
  }
}

/** Forwards a server request to the caller; the deadline is extended because people may answer slowly. */
export async function askFor(call: PendingCall, method: string, params: Json): Promise<Json> {
  if (!call.hooks.onRequest) throw cannotAsk(method);
  call.waiting++;
  try {
    return await call.hooks.onRequest(method, params);
  } finally {
    call.waiting--;
    extendDeadline(call);
  }
}

const BAD_MESSAGE = 'it sent a malformed message';
const NOTHING = () => {};

const cancelled = () => new ProtocolFault(INTERNAL_ERROR, 'The call was cancelled');

function listenTo(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return NOTHING;
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
