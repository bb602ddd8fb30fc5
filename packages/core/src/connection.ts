import { randomUUID } from 'node:crypto';
import { type ChangeEvent, type McpApp, ProtocolFault } from './app.ts';
import { type Logger, silentLogger } from './logger.ts';
import { Cancellation } from './protocol/cancellation.ts';
import {
  errorText,
  faultAnswer,
  invalidRequest,
  parseFault,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
  readMessage,
  type Send,
} from './protocol/json-rpc.ts';
import { answerModern, type ModernWire, type Subscription, subscribe } from './protocol/modern.ts';
import { claimsModernEra, readEnvelope } from './protocol/modern-envelope.ts';
import { allowsBatches } from './protocol/revisions.ts';
import { Session } from './protocol/session.ts';

export interface ConnectionOptions {
  /** Takes each message to the client, as one line of JSON. */
  readonly send: Send;
  readonly log?: Logger;
  readonly clientId?: string;
}

/** One client over one stream of messages, in either era: the edge under stdio and in-memory transports. */
export class Connection {
  readonly #app: McpApp;
  readonly #send: Send;
  readonly #log: Logger;
  readonly #clientId: string;
  readonly #session: Session;
  readonly #running = new Map<RequestId, Cancellation>();
  readonly #subscriptions = new Map<RequestId, Subscription>();
  readonly #unlisten: () => void;
  readonly #pending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(app: McpApp, options: ConnectionOptions) {
    this.#app = app;
    this.#log = options.log ?? silentLogger;
    this.#clientId = options.clientId ?? randomUUID();
    this.#send = (text) => (this.#isClosed ? undefined : options.send(text));
    this.#session = new Session(app, { id: this.#clientId, log: this.#log, push: this.#send });
    this.#unlisten = app.onChange((event) => this.#changed(event));
  }

  /** Takes one line of JSON from the client. A broken one is answered and harms nothing after it. */
  receiveText(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#reply(errorText(null, parseFault()));
      return;
    }
    this.receive(value);
  }

  /** Takes one message from the client, or a batch where its revision has them. */
  receive(value: unknown): void {
    if (!Array.isArray(value)) this.#track(this.#take(value));
    else if (allowsBatches(this.#session.version) && value.length > 0) this.#track(this.#takeBatch(value));
    else this.#reply(errorText(null, invalidRequest('Batches are not part of this revision of the protocol')));
  }

  /** Resolves when every answer under way has been sent. */
  async drained(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** The client is gone, or is to go: everything under way is aborted. */
  close(): void {
    if (this.#isClosed) return;
    for (const subscription of this.#subscriptions.values()) this.#reply(subscription.close());
    this.#isClosed = true;
    this.#unlisten();
    for (const cancellation of this.#running.values()) cancellation.abort();
    this.#session.close();
  }

  async #take(value: unknown): Promise<void> {
    const text = await this.#answerTo(value);
    if (text !== undefined) await this.#send(text);
  }

  async #takeBatch(values: unknown[]): Promise<void> {
    const texts = (await Promise.all(values.map((value) => this.#answerTo(value)))).filter(
      (text) => text !== undefined,
    );
    if (texts.length > 0) await this.#send(`[${texts.join(',')}]`);
  }

  async #answerTo(value: unknown): Promise<string | undefined> {
    const message = readMessage(value);
    if (message.kind === 'invalid') return errorText(message.id, invalidRequest('This is no JSON-RPC message'));
    if (message.kind === 'response') this.#session.answered(message.response);
    if (message.kind === 'notification') this.#notified(message.notification);
    if (message.kind !== 'request') return undefined;
    const { request } = message;
    if (claimsModernEra(request.params)) return this.#answerModern(request);
    return (await this.#session.answer(request, this.#send))?.text;
  }

  #notified(notification: RpcNotification): void {
    const requestId = notification.params?.requestId as RequestId;
    if (notification.method === 'notifications/cancelled') {
      this.#running.get(requestId)?.abort();
      this.#subscriptions.get(requestId)?.close();
      this.#subscriptions.delete(requestId);
    }
    this.#session.notified(notification);
  }

  async #answerModern(request: RpcRequest): Promise<string | undefined> {
    const cancellation = new Cancellation();
    const wire: ModernWire = { send: this.#send, cancellation, log: this.#log, clientId: this.#clientId };
    this.#running.set(request.id, cancellation);
    try {
      const envelope = readEnvelope(request.params);
      if (envelope instanceof ProtocolFault) return faultAnswer(request.id, envelope).text;
      if (request.method === 'subscriptions/listen') {
        const begun = await subscribe(this.#app, request, envelope, wire);
        if ('text' in begun) return begun.text;
        if (begun.isEmpty) return begun.close();
        if (cancellation.isCancelled) begun.close();
        else this.#subscriptions.set(request.id, begun);
        return undefined;
      }
      const answer = await answerModern(this.#app, request, envelope, wire);
      return cancellation.isCancelled ? undefined : answer.text;
    } finally {
      if (this.#running.get(request.id) === cancellation) this.#running.delete(request.id);
    }
  }

  #changed(event: ChangeEvent): void {
    this.#session.changed(event);
    for (const subscription of this.#subscriptions.values()) subscription.changed(event);
  }

  #reply(text: string): void {
    this.#track(Promise.resolve(this.#send(text)));
  }

  #track(work: void | Promise<void>): void {
    if (!work) return;
    // A stream that broke has nobody left to tell; its edge closes the connection.
    const settled = work.catch((error) => this.#log.debug('message not sent', { error }));
    this.#pending.add(settled);
    void settled.finally(() => this.#pending.delete(settled));
  }
}
