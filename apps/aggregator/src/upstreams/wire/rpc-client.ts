import { type Json, ProtocolFault } from '@atoll-mcp/core';
import { callTimedOut, cannotAsk } from '../../errors.ts';
import { Deadlines, extendDeadline, type Timed } from './deadlines.ts';
import { isObject, type Message, readMessages } from './message.ts';
import { PendingCalls } from './pending-calls.ts';
import { META } from './protocol.ts';

export interface Answer {
  /** The result as the upstream wrote it. */
  readonly text: string;
  readonly value: Json;
}

/** What a call wants to hear while it is under way. */
export interface CallHooks {
  readonly signal?: AbortSignal | undefined;
  /** In place of the signal, where there is something cheaper. */
  readonly onAbort?: ((listener: () => void) => () => void) | undefined;
  /** Zero means no limit. Progress starts it again. */
  readonly timeoutMs: number;
  readonly wantsProgress?: boolean;
  /** Who asked, for questions that do not say which call they belong to. */
  readonly owner?: unknown;
  readonly onNotification?: (method: string, params: Json) => void;
  readonly onRequest?: ((method: string, params: Json) => Promise<Json>) | undefined;
}

/** A request that has been sent and not answered yet. */
export interface PendingCall extends Timed {
  readonly id: number;
  readonly method: string;
  readonly params: Json;
  readonly hooks: CallHooks;
  /** Questions of this call that a client has not answered yet; meanwhile its time does not run out. */
  waiting: number;
  settle(outcome: Answer | Error): void;
}

/** The way messages leave: a pipe or HTTP requests. */
export interface Sender {
  request(call: PendingCall, text: string): void;
  /** A notification, or our answer to a question. */
  send(text: string): void;
  cancel(call: PendingCall, reason: string): void;
}

/** What arrives and belongs to no call that we can tell. */
export interface Unsolicited {
  onNotification(method: string, params: Json): void;
  onRequest(method: string, params: Json, underway: readonly PendingCall[]): Promise<Json>;
  onMalformed(): void;
}

/**
 * Our own JSON-RPC client: fresh ids and progress tokens per call, so nothing of one client can reach another, and
 * answers that keep their text.
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
  /** How many calls have ended so far. */
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

  /** Sends a request and calls back once: with the answer, or with why there is none. */
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
    this.#sender.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Takes in what arrived. `from` is the call on whose own stream it came, where there is such a thing. */
  receive(text: string, from?: PendingCall): void {
    if (text === '') return;
    const messages = readMessages(text);
    if (messages.length === 0) this.#unsolicited.onMalformed();
    for (const message of messages) this.#take(message, from);
  }

  /** Ends every call under way. */
  failAll(error: Error): void {
    for (const call of this.underway) call.settle(error);
  }

  #take(message: Message, from: PendingCall | undefined): void {
    if (message.kind === 'result') this.#pending.get(message.id)?.settle(message);
    else if (message.kind === 'error') {
      const { code, message: text, data } = message.error;
      this.#pending.get(message.id)?.settle(new ProtocolFault(code, text, data));
    } else if (message.kind === 'request') void this.#reply(message, from);
    else this.#tell(message, from);
  }

  #tell(message: Message & { kind: 'notification' }, from: PendingCall | undefined): void {
    const call = this.#callOf(message.params) ?? from;
    if (message.method === 'notifications/progress') {
      // Progress for nobody is late progress of a call that has ended.
      if (!call) return;
      this.#deadlines.add(call);
    }
    if (call?.hooks.onNotification) call.hooks.onNotification(message.method, message.params);
    else this.#unsolicited.onNotification(message.method, message.params);
  }

  /** The call a notification names: by the progress token we gave it, or as a stream of changes. */
  #callOf({ progressToken, _meta }: Json): PendingCall | undefined {
    const id = progressToken ?? (isObject(_meta) ? _meta[META.subscriptionId] : undefined);
    return typeof id === 'number' ? this.#pending.get(id) : undefined;
  }

  async #reply(request: Message & { kind: 'request' }, from: PendingCall | undefined): Promise<void> {
    const { id, method, params } = request;
    try {
      const result = await (from?.hooks.onRequest
        ? askFor(from, method, params)
        : this.#unsolicited.onRequest(method, params, this.underway));
      this.#sender.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      const fault =
        error instanceof ProtocolFault ? error : new ProtocolFault(-32603, 'The question could not be answered');
      const { code, message, data } = fault;
      this.#sender.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
    }
  }

  #expire(call: PendingCall): void {
    if (call.waiting > 0) return void this.#deadlines.add(call);
    this.#sender.cancel(call, 'The time for this call is over');
    call.settle(callTimedOut(this.#name, call.timeoutMs));
  }
}

/** Puts a question to the caller of a call; people may take longer to answer than servers. */
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

const NOTHING = () => {};

const cancelled = () => new ProtocolFault(-32603, 'The call was cancelled');

function listenTo(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return NOTHING;
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
