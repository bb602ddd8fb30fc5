import { randomUUID } from 'node:crypto';
import { type ChangeEvent, type Logger, type McpApp, ProtocolFault, parseJson, silentLogger } from '@atoll-mcp/core';
import { Session } from '../protocol/rev-2025-11-25/session.ts';
import { answerModern, type ModernWire } from '../protocol/rev-2026-07-28/answer.ts';
import { claimsModernEra, type RequestEnvelope, readEnvelope } from '../protocol/rev-2026-07-28/envelope.ts';
import { type Subscription, subscribe } from '../protocol/rev-2026-07-28/subscription.ts';
import { Cancellation } from '../protocol/shared/cancellation.ts';
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
} from '../protocol/shared/json-rpc.ts';
import { allowsBatches } from '../protocol/shared/revisions.ts';

export interface ConnectionOptions {
  /** Takes each message to the client, as one line of JSON. */
  readonly send: Send;
  readonly log?: Logger;
  readonly clientId?: string;
}

/** One client over one stream of messages, in either era: the edge under stdio and in-memory transports. */
export class McpConnection {
  readonly #app: McpApp;
  readonly #send: Send;
  readonly #log: Logger;
  readonly #clientId: string;
  readonly #session: Session;
  readonly #running = new Map<RequestId, Cancellation>();
  readonly #subscriptions = new Map<RequestId, Subscription>();
  readonly #unlisten: () => void;
  readonly #idle: (() => void)[] = [];
  #underWay = 0;
  /** Messages leave in order, so when this one is out, all before it are. */
  #lastSent: Promise<void> | undefined;
  #isClosed = false;

  constructor(app: McpApp, options: ConnectionOptions) {
    this.#app = app;
    this.#log = options.log ?? silentLogger;
    this.#clientId = options.clientId ?? randomUUID();
    this.#send = (text) => (this.#isClosed ? undefined : options.send(text));
    this.#session = new Session(app, { id: this.#clientId, log: this.#log, push: this.#send });
    this.#unlisten = app.onChange((event) => this.#changed(event));
  }

  /** Receives one line of JSON from the client. Invalid JSON is answered with a parse error; later lines are not affected. */
  receiveText(text: string): void {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      this.#reply(errorText(null, parseFault()));
      return;
    }
    this.receive(value);
  }

  /** Takes a line as bytes if it is better read so; false, having done nothing, if `receiveText` has to take it. */
  receiveBytes(bytes: Buffer): boolean {
    const value = this.#app.parse?.(bytes, {});
    if (value !== undefined) this.receive(value);
    return value !== undefined;
  }

  /** Takes one message from the client, or a batch where its revision has them. */
  receive(value: unknown): void {
    if (!Array.isArray(value)) this.#take(value);
    else if (allowsBatches(this.#session.version) && value.length > 0) this.#takeBatch(value);
    else this.#reply(errorText(null, invalidRequest('This protocol revision does not support batches')));
  }

  /** Resolves when every answer under way has been sent. */
  async drained(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await this.#lastSent?.catch(() => {});
  }

  /** Disconnects the client and aborts every running request. */
  close(): void {
    if (this.#isClosed) return;
    for (const subscription of this.#subscriptions.values()) this.#reply(subscription.close());
    this.#isClosed = true;
    this.#unlisten();
    for (const cancellation of this.#running.values()) cancellation.abort();
    this.#session.close();
  }

  #take(value: unknown): void {
    this.#underWay++;
    this.#answerTo(value, (text) => {
      if (text !== undefined) this.#reply(text);
      this.#ended();
    });
  }

  #takeBatch(values: unknown[]): void {
    this.#underWay++;
    const texts: (string | undefined)[] = [];
    let left = values.length;
    values.forEach((value, at) => {
      this.#answerTo(value, (text) => {
        texts[at] = text;
        if (--left > 0) return;
        const given = texts.filter((one) => one !== undefined);
        if (given.length > 0) this.#reply(`[${given.join(',')}]`);
        this.#ended();
      });
    });
  }

  #ended(): void {
    this.#underWay--;
    if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #answerTo(value: unknown, done: (text: string | undefined) => void): void {
    const message = readMessage(value);
    if (message.kind === 'invalid')
      return void done(errorText(message.id, invalidRequest('This is not a JSON-RPC message')));
    if (message.kind === 'response') this.#session.answered(message.response);
    if (message.kind === 'notification') this.#notified(message.notification);
    if (message.kind !== 'request') return void done(undefined);
    const { request } = message;
    if (claimsModernEra(request.params)) return void this.#answerModern(request, done);
    this.#session.answer(request, this.#send, new Cancellation(), (answer) => done(answer?.text));
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

  #answerModern(request: RpcRequest, done: (text: string | undefined) => void): void {
    const envelope = readEnvelope(request.params);
    if (envelope instanceof ProtocolFault) return void done(faultAnswer(request.id, envelope).text);
    const cancellation = new Cancellation();
    const wire: ModernWire = { send: this.#send, cancellation, log: this.#log, clientId: this.#clientId };
    this.#running.set(request.id, cancellation);
    const finish = (text: string | undefined) => {
      if (this.#running.get(request.id) === cancellation) this.#running.delete(request.id);
      done(text);
    };
    if (request.method === 'subscriptions/listen') return void this.#listen(request, envelope, wire).then(finish);
    answerModern(this.#app, request, envelope, wire, ({ text }) => finish(cancellation.isCancelled ? undefined : text));
  }

  async #listen(request: RpcRequest, envelope: RequestEnvelope, wire: ModernWire): Promise<string | undefined> {
    const begun = await subscribe(this.#app, request, envelope, wire);
    if ('text' in begun) return begun.text;
    if (begun.isEmpty) return begun.close();
    if (wire.cancellation.isCancelled) begun.close();
    else this.#subscriptions.set(request.id, begun);
    return undefined;
  }

  #changed(event: ChangeEvent): void {
    this.#session.changed(event);
    for (const subscription of this.#subscriptions.values()) subscription.changed(event);
  }

  #reply(text: string): void {
    const sent = this.#send(text);
    // Lines that leave together share a promise.
    if (!sent || sent === this.#lastSent) return;
    this.#lastSent = sent;
    // On a broken stream the transport closes the connection; there is nothing to send.
    sent.catch((error) => this.#log.debug('message not sent', { error }));
  }
}
