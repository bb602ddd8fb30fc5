import type { Era } from '@atoll-mcp/core';
import { claimsModernEra, requestHeaders } from '@atoll-mcp/server/protocol';
import { loginRequired, notDelivered, upstreamRefused, upstreamUnreachable } from '../../errors.ts';
import { BearerToken, type TokenSource } from './bearer-token.ts';
import { type HttpResponse, HttpSocket } from './http-socket.ts';
import { PRIVATE_ADDRESS } from './private-address.ts';
import { ReadThrottle } from './read-throttle.ts';
import { asksForLogin, withRequestId } from './refusals.ts';
import { type PendingCall, RpcClient, type Sender } from './rpc-client.ts';
import { EventReader } from './sse.ts';
import type { Wire, WireEvents } from './wire.ts';

export interface HttpWireOptions {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Tokens of a login, for a server that asks for one; left out where the headers have one. */
  readonly tokens?: TokenSource | undefined;
  readonly maxMessageBytes: number;
  /** Connect even if a public host name resolves to a private address. */
  readonly allowPrivateAddress: boolean;
  /** The input schema of a tool, for parameters that also travel as headers. */
  readonly schemaOf: (tool: string) => unknown;
}

const RECONNECT_MS = 1_000;
const RECONNECT_MAX_MS = 30_000;

const NOT_LISTENING = 'no server is listening at its address';
const SESSION_EXPIRED = 'the session expired';
const IS_PRIVATE = 'its host name resolves to a private address; "allowPrivateAddress": true allows that';
/** Failures before anything was sent. */
const NEVER_CONNECTED = new Set([
  PRIVATE_ADDRESS,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

/** JSON-RPC over Streamable HTTP, both eras: each message is a POST, each response a body or an event stream. */
export class HttpWire implements Wire, Sender {
  readonly client: RpcClient;
  readonly #options: HttpWireOptions;
  readonly #events: WireEvents;
  readonly #socket: HttpSocket;
  readonly #token: BearerToken | undefined;
  readonly #aborts = new Map<number, () => void>();
  /** The revision agreed on with `initialize`, if that was ever sent. */
  #legacyVersion: string | undefined;
  #session: string | undefined;
  #closed = false;
  #listening: (() => void) | undefined;

  constructor(options: HttpWireOptions, events: WireEvents) {
    this.#options = options;
    this.#events = events;
    this.#token = options.tokens && new BearerToken(options.tokens);
    this.#socket = new HttpSocket(options.url, options);
    this.client = new RpcClient(options.name, this, events);
  }

  onNegotiated(handshake: { era: Era; protocolVersion: string }): void {
    if (handshake.era === 'modern') return;
    this.#legacyVersion = handshake.protocolVersion;
    if (this.#session !== undefined) this.#listen(RECONNECT_MS);
  }

  request(call: PendingCall, text: string): void {
    this.#post(call, text, true);
  }

  #post(call: PendingCall, text: string, mayRenew: boolean): void {
    const used = this.#token?.header.authorization;
    const headers = isModern(call) ? this.#modernHeaders(call) : this.#headers();
    const abort = this.#socket.post(headers, text, {
      response: (response) => {
        if (mayRenew && asksForLogin(response)) void this.#renewToken(call, text, used, response);
        else this.#answer(call, response);
      },
      failed: (why) => this.#notReached(call, why),
      // A tool call may have had effects even without a response.
      mayRepeat: call.method !== 'tools/call',
    });
    this.#aborts.set(call.id, abort);
  }

  send(text: string): void {
    this.#socket.post(this.#headers(), text, { response: (response) => response.drain(), failed: () => {} });
  }

  cancel(call: PendingCall, reason: string): void {
    // In the modern era closing the connection cancels the call.
    if (!isModern(call)) this.client.notify('notifications/cancelled', { requestId: call.id, reason });
    this.#aborts.get(call.id)?.();
    this.#aborts.delete(call.id);
  }

  reject(why: string, from: PendingCall | undefined): void {
    if (from) this.#fail(from, upstreamUnreachable(this.#options.name, why));
    else this.#events.onMalformed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listening?.();
    for (const abort of this.#aborts.values()) abort();
    if (this.#session !== undefined) await this.#socket.remove(this.#headers());
    this.client.failAll(upstreamUnreachable(this.#options.name, 'the connection was closed'));
    this.#socket.close();
  }

  #answer(call: PendingCall, response: HttpResponse): void {
    const session = response.header('mcp-session-id');
    if (call.method === 'initialize' && session !== undefined) this.#session = session;
    if (response.status === 404 && this.#session !== undefined && !isModern(call)) this.#lostSession(call, response);
    else if (response.isEventStream) this.#readStream(call, response);
    else this.#readBody(call, response);
  }

  /** A refused request had no effects, so it may be sent again with another token. */
  async #renewToken(call: PendingCall, text: string, used: string | undefined, response: HttpResponse): Promise<void> {
    if (!this.#token) return this.#answer(call, response);
    response.drain();
    const isRenewed = await this.#token.renew(used, response.header('www-authenticate'));
    if (this.#closed || !this.client.isUnderway(call.id)) return;
    if (isRenewed) this.#post(call, text, false);
    else this.#fail(call, loginRequired(this.#options.name));
  }

  #readBody(call: PendingCall, response: HttpResponse): void {
    response.text(
      this.#options.maxMessageBytes,
      (body) => {
        this.#aborts.delete(call.id);
        const { status } = response;
        if (status === 400 && this.#session !== undefined && !isModern(call) && /session/i.test(body))
          return this.#lostSession(call, response);
        this.client.receive(status >= 400 ? withRequestId(body, call.id) : body, call);
        call.settle(
          status >= 400 ? this.#refused(response) : upstreamUnreachable(this.#options.name, 'the response was empty'),
        );
      },
      (why) => this.#fail(call, upstreamUnreachable(this.#options.name, why)),
    );
  }

  #readStream(call: PendingCall, response: HttpResponse): void {
    let lastEventId: string | undefined;
    const throttle = new ReadThrottle(response);
    const reader = new EventReader({
      maxBytes: this.#options.maxMessageBytes,
      onEvent: ({ id, data }) => {
        lastEventId = id ?? lastEventId;
        this.#receive(data, throttle, call);
      },
      onTooLong: () => {
        this.#fail(call, upstreamUnreachable(this.#options.name, 'it sent a message that is too long'));
        response.abort();
      },
    });
    response.stream(
      (chunk) => reader.push(chunk),
      () => {
        throttle.close();
        if (!this.client.isUnderway(call.id)) return void this.#aborts.delete(call.id);
        if (lastEventId === undefined || isModern(call) || this.#closed) {
          return this.#fail(call, upstreamUnreachable(this.#options.name, 'the connection closed before the response'));
        }
        // A legacy server may close the stream and expect polling.
        const timer = setTimeout(() => this.#resume(call, lastEventId ?? ''), reader.retryMs ?? RECONNECT_MS);
        this.#aborts.set(call.id, () => clearTimeout(timer));
      },
    );
  }

  #resume(call: PendingCall, lastEventId: string): void {
    const abort = this.#socket.get(
      { ...this.#headers(), 'last-event-id': lastEventId },
      {
        response: (response) => {
          if (response.isEventStream) return this.#readStream(call, response);
          response.drain();
          this.#fail(call, upstreamUnreachable(this.#options.name, 'the connection closed before the response'));
        },
        failed: (why) => this.#fail(call, upstreamUnreachable(this.#options.name, why)),
      },
    );
    this.#aborts.set(call.id, abort);
  }

  /** Keeps the stream of unsolicited messages of a legacy server open. Servers without one answer 405. */
  #listen(waitMs: number): void {
    if (this.#closed) return;
    const again = (ms: number) => {
      const timer = setTimeout(() => this.#listen(ms), ms);
      timer.unref();
      this.#listening = () => clearTimeout(timer);
    };
    this.#listening = this.#socket.get(this.#headers(), {
      response: (response) => {
        if (response.isEventStream) return this.#hear(response, again);
        response.drain();
        if (response.status === 404) this.#events.onClose(SESSION_EXPIRED);
        else if (response.status >= 500) again(Math.min(waitMs * 2, RECONNECT_MAX_MS));
      },
      failed: () => again(Math.min(waitMs * 2, RECONNECT_MAX_MS)),
    });
  }

  #hear(response: HttpResponse, again: (ms: number) => void): void {
    const throttle = new ReadThrottle(response);
    const reader = new EventReader({
      maxBytes: this.#options.maxMessageBytes,
      onEvent: ({ data }) => this.#receive(data, throttle),
      onTooLong: () => this.#listening?.(),
    });
    response.stream(
      (chunk) => reader.push(chunk),
      () => {
        throttle.close();
        again(reader.retryMs ?? RECONNECT_MS);
      },
    );
  }

  #receive(text: string, throttle: ReadThrottle, call?: PendingCall): void {
    const before = this.client.settled;
    this.client.receive(text, call);
    if (this.client.settled === before) throttle.count(text.length);
  }

  #notReached(call: PendingCall, why: string): void {
    if (!NEVER_CONNECTED.has(why)) {
      this.#fail(call, upstreamUnreachable(this.#options.name, why));
      return;
    }
    const reason = why === PRIVATE_ADDRESS ? IS_PRIVATE : NOT_LISTENING;
    this.#fail(call, notDelivered(this.#options.name, reason));
    this.#events.onClose(reason);
  }

  #lostSession(call: PendingCall, response: HttpResponse): void {
    response.drain();
    this.#aborts.delete(call.id);
    // Not delivered: the call can be retried on a new wire.
    call.settle(notDelivered(this.#options.name, SESSION_EXPIRED));
    this.#events.onClose(SESSION_EXPIRED);
  }

  #refused(response: HttpResponse): Error {
    const seconds = Number(response.header('retry-after'));
    const wait = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
    return upstreamRefused(this.#options.name, response.status, wait);
  }

  #fail(call: PendingCall, error: Error): void {
    this.#aborts.delete(call.id);
    call.settle(error);
  }

  #headers(): Record<string, string> {
    return {
      ...ALWAYS,
      ...(this.#legacyVersion !== undefined && { 'mcp-protocol-version': this.#legacyVersion }),
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...this.#token?.header,
      ...this.#options.headers,
    };
  }

  #modernHeaders(call: PendingCall): Record<string, string> {
    const { headers, schemaOf } = this.#options;
    return { ...ALWAYS, ...this.#token?.header, ...headers, ...requestHeaders(call, schemaOf) };
  }
}

const ALWAYS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const isModern = ({ params }: PendingCall): boolean => claimsModernEra(params);
