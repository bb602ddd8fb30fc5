import { type Era, type Json, RawResult, type RequestContext } from '@atoll-mcp/core';
import {
  type ClientCodec,
  client2025,
  client2026,
  inputRequired,
  type OutgoingRequest,
} from '@atoll-mcp/server/protocol';
import { cannotAsk } from '../errors.ts';
import { ElicitationLock } from './bridge/elicitation-lock.ts';
import { canBeAsked, ownerOf } from './bridge/owner.ts';
import { ServerRequestRouter } from './bridge/server-request-router.ts';
import type { SuspendedCalls } from './bridge/suspended-calls.ts';
import type { Link, LinkEvents, UpstreamRequest } from './interface.ts';
import { Watcher } from './watcher.ts';
import type { Handshake } from './wire/handshake.ts';
import { CHANGES, MAY_ASK } from './wire/protocol.ts';
import type { Answer, CallHooks } from './wire/rpc-client.ts';
import type { Wire } from './wire/wire.ts';

interface WireLinkOptions {
  readonly wire: Wire;
  readonly handshake: Handshake;
  readonly events: LinkEvents;
  readonly suspended: SuspendedCalls;
  readonly clientInfo: Json;
  /** Server requests share one stream and do not say which call they belong to. */
  readonly isMultiplexed: boolean;
  readonly traits: Traits;
  /** Sends `initialize` to a modern upstream as well. */
  readonly initializeLegacy: () => Promise<void>;
}

/** Facts about an upstream that hold across restarts. */
export interface Traits {
  /** A modern upstream that serves the older era on the same connection; unknown until a legacy client needs it. */
  speaksLegacyToo?: boolean;
}

type RequestHandler = (method: string, params: Json) => Promise<Json>;

/** A negotiated connection: translates requests to the era of the upstream and results to the era of the caller. */
export class WireLink implements Link {
  readonly serverInfo: Json;
  readonly capabilities: Json;
  readonly instructions?: string;
  readonly #codec: ClientCodec;
  readonly #wire: Wire;
  readonly #events: LinkEvents;
  readonly #suspended: SuspendedCalls;
  readonly #clientInfo: Json;
  readonly #elicitationLock: ElicitationLock | undefined;
  readonly #router: ServerRequestRouter;
  readonly #watcher: Watcher;
  readonly #traits: Traits;
  readonly #initializeLegacy: () => Promise<void>;
  #legacyToo: Promise<boolean> | undefined;

  constructor(options: WireLinkOptions) {
    const { wire, handshake, events, suspended, clientInfo } = options;
    this.#codec = handshake.era === 'modern' ? client2026 : client2025;
    this.serverInfo = handshake.serverInfo;
    this.capabilities = handshake.capabilities;
    if (handshake.instructions !== undefined) this.instructions = handshake.instructions;
    this.#wire = wire;
    this.#events = events;
    this.#suspended = suspended;
    this.#clientInfo = clientInfo;
    this.#traits = options.traits;
    this.#initializeLegacy = options.initializeLegacy;
    this.#elicitationLock = options.isMultiplexed ? new ElicitationLock() : undefined;
    this.#router = new ServerRequestRouter(
      () => wire.client.underway,
      (call) => this.#elicitationLock?.markElicits(`${call.params.name}`),
    );
    this.#watcher = new Watcher(this, (method, params) => this.onNotification(method, params));
  }

  get era(): Era {
    return this.#codec.era;
  }

  get probe(): string {
    return this.#codec.probe;
  }

  get pid(): number | undefined {
    return this.#wire.pid;
  }

  get stderrTail(): readonly string[] {
    return this.#wire.stderrTail ?? [];
  }

  request(request: UpstreamRequest): Promise<Json | RawResult> {
    const { method, context } = request;
    const isSameEra = context.era === this.era;
    if (isSameEra && (this.era === 'modern' || !this.#needsLock(request))) return this.#pass(request);
    // Without server requests between eras, only the result differs.
    const mayAsk = MAY_ASK.has(method) && canBeAsked(context);
    return !isSameEra && !mayAsk ? this.#pass(request) : this.#translate(request, mayAsk);
  }

  /** One promise, because most calls are passed on here. */
  #pass(request: UpstreamRequest): Promise<Json | RawResult> {
    const onRequest = this.era === 'modern' ? undefined : this.#requestHandlerFor(request.context);
    return new Promise((resolve, reject) => {
      this.#begin(request, this.#paramsOf(request), onRequest, (outcome) => {
        this.#router.settle();
        if (outcome instanceof Error) reject(outcome);
        else resolve(this.#asResult(outcome, this.#codec, request.context));
      });
    });
  }

  async #translate(request: UpstreamRequest, mayAsk: boolean): Promise<Json | RawResult> {
    const { context } = request;
    // Many servers of both eras send requests to legacy clients only in the legacy era, so it is used where the client accepts requests.
    if (this.era === 'modern' && !(mayAsk && context.era === 'legacy' && (await this.#speaksLegacyToo()))) {
      return this.#asResult(await this.#send(request, this.#paramsOf(request)), this.#codec, context);
    }
    const params = client2025.requestParams(request, this.#clientInfo);
    if (mayAsk && context.era === 'modern') return this.#inRounds(request, params);
    return this.#asResult(await this.#withLock(request, params), client2025, context);
  }

  async ask(method: string, params: Json, timeoutMs: number): Promise<Json> {
    return (await this.#wire.client.request(method, this.#paramsOf({ method, params }), { timeoutMs })).value;
  }

  listen(notifications: Json, hooks: CallHooks): Promise<Answer> {
    const method = 'subscriptions/listen';
    return this.#wire.client.request(method, this.#paramsOf({ method, params: { notifications } }), hooks);
  }

  notify(method: string, params: Json): void {
    this.#wire.client.notify(method, params);
  }

  watch(uris: readonly string[]): Promise<void> {
    return this.#watcher.watch(uris);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    await this.#wire.close();
  }

  /** A notification that belongs to no call. */
  onNotification(method: string, params: Json): void {
    const kind = CHANGES.get(method);
    if (kind) this.#events.onChange({ kind });
    else if (method === 'notifications/resources/updated') {
      if (typeof params.uri === 'string') this.#events.onChange({ kind: 'resource', uri: params.uri });
    } else if (method !== 'notifications/cancelled' && method !== 'notifications/subscriptions/acknowledged') {
      const owners = new Set(this.#wire.client.underway.map(({ hooks }) => hooks.owner));
      owners.delete(undefined);
      this.#events.onNotification(method, params, [...owners]);
    }
  }

  /** A server request that does not name its call. */
  onRequest(method: string, params: Json): Promise<Json> {
    if (method === 'ping') return Promise.resolve({});
    return this.#router.route(method, params);
  }

  #speaksLegacyToo(): Promise<boolean> {
    this.#legacyToo ??= this.#tryLegacy();
    return this.#legacyToo;
  }

  async #tryLegacy(): Promise<boolean> {
    const traits = this.#traits;
    if (traits.speaksLegacyToo === false) return false;
    // Set first: a server that exits on this handshake must not get it again.
    traits.speaksLegacyToo = false;
    try {
      await this.#initializeLegacy();
      traits.speaksLegacyToo = true;
      return true;
    } catch {
      return false;
    }
  }

  /** A modern caller on a legacy upstream: a server request ends the round while the upstream call stays open. */
  async #inRounds(request: UpstreamRequest, params: Json): Promise<Json | RawResult> {
    const { method, context } = request;
    const binding = JSON.stringify([method, request.params]);
    const step =
      context.requestState === undefined
        ? await this.#suspended.begin(binding, context, (caller, onRequest) =>
            this.#withLock({ ...request, context: this.#asCaller(caller) }, params, onRequest),
          )
        : await this.#suspended.resume(binding, context);
    if ('answer' in step) return this.#asResult(step.answer, client2025, context);
    return inputRequired(step.questions, step.requestState);
  }

  /** A context bound to the current round of a suspended call. */
  #asCaller(caller: { context: RequestContext; abort: AbortController }): RequestContext {
    const { onAbort: _ofThisRound, ...context } = caller.context;
    return {
      ...context,
      signal: caller.abort.signal,
      notify: (method, params) => caller.context.notify(method, params),
    };
  }

  #needsLock({ method, params, context }: UpstreamRequest): boolean {
    const lock = method === 'tools/call' && canBeAsked(context) ? this.#elicitationLock : undefined;
    return lock !== undefined && !lock.neverElicits(`${params.name}`);
  }

  async #withLock(
    request: UpstreamRequest,
    params: Json,
    onRequest = this.#requestHandlerFor(request.context),
  ): Promise<Answer> {
    const { context } = request;
    const lock = onRequest && this.#needsLock(request) ? this.#elicitationLock : undefined;
    const release = lock ? await lock.acquire(`${params.name}`, ownerOf(context), context.signal) : undefined;
    try {
      return await this.#send(request, params, onRequest);
    } finally {
      release?.();
      this.#router.settle();
    }
  }

  #send(request: UpstreamRequest, params: Json, onRequest?: RequestHandler): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#begin(request, params, onRequest, (outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  #begin(
    { method, context, timeoutMs }: UpstreamRequest,
    params: Json,
    onRequest: RequestHandler | undefined,
    done: (outcome: Answer | Error) => void,
  ): void {
    let relayed: Promise<void>[] | undefined;
    const hooks: CallHooks = {
      onAbort: context.onAbort,
      signal: context.onAbort ? undefined : context.signal,
      timeoutMs,
      wantsProgress: context.meta.progressToken !== undefined,
      owner: ownerOf(context),
      onNotification: (name, body) => {
        relayed ??= [];
        // A client that disconnected must not fail the call.
        relayed.push(context.notify(name, body).catch(() => {}));
      },
      onRequest,
    };
    this.#wire.client.begin(method, params, hooks, (outcome) => {
      // Notifications sent before the result must be delivered before it.
      if (relayed) void Promise.all(relayed).then(() => done(outcome));
      else done(outcome);
    });
  }

  #requestHandlerFor(context: RequestContext): RequestHandler | undefined {
    const { ask } = context;
    if (!ask) return undefined;
    return async (method, params) => {
      if (method === 'ping') return {};
      if (!canBeAsked(context, method)) throw cannotAsk(method);
      return ask(method, params);
    };
  }

  /** Within one era the result text passes unchanged; between eras it is rebuilt. */
  #asResult({ text, value }: Answer, codec: ClientCodec, context: RequestContext): Json | RawResult {
    if (context.era !== codec.era || !codec.isComplete(value)) return value;
    return new RawResult(text, value.isError === true);
  }

  #paramsOf(request: OutgoingRequest): Json {
    return this.#codec.requestParams(request, this.#clientInfo);
  }
}
