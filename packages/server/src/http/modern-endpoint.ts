import type { IncomingHttpHeaders } from 'node:http';
import {
  type ChangeEvent,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  type McpApp,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  ProtocolFault,
} from '@atoll-mcp/core';
import { answerModern, type ModernWire } from '../protocol/rev-2026-07-28/answer.ts';
import { type RequestEnvelope, readEnvelope } from '../protocol/rev-2026-07-28/envelope.ts';
import { checkStandardHeaders, contradiction } from '../protocol/rev-2026-07-28/headers.ts';
import { checkParamHeaders } from '../protocol/rev-2026-07-28/param-headers.ts';
import { type Subscription, subscribe } from '../protocol/rev-2026-07-28/subscription.ts';
import type { Cancellation } from '../protocol/shared/cancellation.ts';
import type { CheckTool } from '../protocol/shared/exchange.ts';
import type { Answer, RpcRequest } from '../protocol/shared/json-rpc.ts';
import { abortOnDisconnect, acceptedBy, type HttpCall } from './call.ts';
import type { Settings } from './options.ts';
import { HttpRefusal } from './refusal.ts';
import { Reply } from './reply.ts';

interface Listening {
  /** Callers without a token count as one. */
  readonly owner: string;
  end: () => void;
}

/** Requests of 2026-07-28: each is independent, and its own connection is the only way to answer it. */
export class ModernEndpoint {
  readonly #app: McpApp;
  readonly #settings: Settings;
  readonly #subscriptions = new Map<Subscription, Reply>();
  /** Subscriptions, those that are being opened too, the oldest first. */
  readonly #listening = new Set<Listening>();
  readonly #running = new Set<Cancellation>();

  constructor(app: McpApp, settings: Settings) {
    this.#app = app;
    this.#settings = settings;
  }

  post(request: RpcRequest, call: HttpCall, observe: (answer: Answer | undefined) => void): void {
    const envelope = this.#admit(request, call);
    const accepted = acceptedBy(call.request);
    const isListening = request.method === 'subscriptions/listen';
    const owner = call.principal?.id ?? '';
    if (isListening) this.#makeRoomFor(owner, request);
    const mode = isListening || !accepted.json ? 'stream' : accepted.stream ? 'either' : 'json';
    const reply = new Reply(call.response, { mode, keepAliveMs: this.#settings.keepAliveMs });
    const cancellation = abortOnDisconnect(call.response);
    const wire: ModernWire = {
      send: reply.send,
      cancellation,
      log: this.#settings.log,
      clientId: call.request.socket.remoteAddress ?? 'http',
      path: call.path,
      principal: call.principal,
      checkTool: headerCheck(request, call.request.headers),
    };
    if (isListening) {
      const listening: Listening = { owner, end: () => reply.finish(undefined) };
      this.#listening.add(listening);
      call.response.once('close', () => this.#listening.delete(listening));
      return void this.#listen(request, envelope, wire, { reply, listening }).then(observe);
    }
    this.#running.add(cancellation);
    answerModern(this.#app, request, envelope, wire, (answer) => {
      this.#running.delete(cancellation);
      reply.finish(answer.text, statusOf(answer));
      observe(answer);
    });
  }

  changed(event: ChangeEvent): void {
    for (const subscription of this.#subscriptions.keys()) subscription.changed(event);
  }

  /** Ends all subscriptions. */
  endStreams(): void {
    for (const [subscription, reply] of this.#subscriptions) reply.finish(subscription.close());
    this.#subscriptions.clear();
  }

  close(): void {
    for (const cancellation of this.#running) cancellation.abort();
  }

  /** Where all are taken, a caller with less than its fair share takes the oldest of the caller with most. */
  #makeRoomFor(owner: string, { id }: RpcRequest): void {
    const { maxSubscriptions } = this.#settings;
    if (this.#listening.size < maxSubscriptions) return;
    const counts = new Map([[owner, 0]]);
    for (const { owner: held } of this.#listening) counts.set(held, (counts.get(held) ?? 0) + 1);
    const [heaviest] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    const victim = [...this.#listening].find(({ owner: held }) => held === heaviest && held !== owner);
    if (!victim || (counts.get(owner) ?? 0) + 1 > maxSubscriptions / counts.size) {
      throw new HttpRefusal(503, 'Too many subscriptions are open', { id });
    }
    this.#listening.delete(victim);
    victim.end();
  }

  /** Checks that the headers of a request are complete and match its body. */
  #admit(request: RpcRequest, { request: { headers } }: HttpCall): RequestEnvelope {
    const { id } = request;
    const refuseIf = (fault: ProtocolFault | undefined) => {
      if (fault) throw new HttpRefusal(400, fault, { id });
    };
    const envelope = readEnvelope(request.params);
    if (envelope instanceof ProtocolFault && envelope.code === INVALID_PARAMS) refuseIf(envelope);
    refuseIf(contradiction(request, headers));
    if (envelope instanceof ProtocolFault) throw new HttpRefusal(400, envelope, { id });
    refuseIf(checkStandardHeaders(request, headers));
    return envelope;
  }

  async #listen(
    request: RpcRequest,
    envelope: RequestEnvelope,
    wire: ModernWire,
    { reply, listening }: { reply: Reply; listening: Listening },
  ): Promise<Answer | undefined> {
    const begun = await subscribe(this.#app, request, envelope, wire);
    if ('text' in begun) {
      reply.finish(begun.text);
      return begun;
    }
    const end = () => {
      this.#subscriptions.delete(begun);
      reply.finish(begun.close());
    };
    // It may have had to make room while it was opened.
    const isGone = !this.#listening.has(listening);
    listening.end = end;
    if (wire.cancellation.isCancelled || begun.isEmpty || isGone) end();
    else this.#subscriptions.set(begun, reply);
    wire.cancellation.onAbort(end);
    return undefined;
  }
}

/** Made apart: a closure of `post` would keep the request and its response in memory for longer than the call. */
const headerCheck =
  ({ params }: RpcRequest, headers: IncomingHttpHeaders): CheckTool =>
  (tool) =>
    checkParamHeaders(tool, params?.arguments, headers);

/** Proxies should see these errors as HTTP errors; every other answer has status 200. */
function statusOf({ fault }: Answer): number {
  if (fault === METHOD_NOT_FOUND) return 404;
  return fault === MISSING_CAPABILITY || fault === HEADER_MISMATCH ? 400 : 200;
}
