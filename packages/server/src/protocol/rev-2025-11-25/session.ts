import type { ChangeEvent, ClientIdentity, Json, McpApp, Principal, SessionHandle } from '@atoll-mcp/core';
import { isObject, type Logger } from '@atoll-mcp/core';
import { Cancellation } from '../shared/cancellation.ts';
import { changeNotification } from '../shared/changes.ts';
import { type Caller, exchange } from '../shared/exchange.ts';
import {
  type Answer,
  notificationText,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  resultAnswer,
  type Send,
  sendQuietly,
} from '../shared/json-rpc.ts';
import { isLogLevel, negotiate } from '../shared/revisions.ts';
import { codec2025 } from './codec.ts';
import { Questions } from './questions.ts';

export interface SessionOptions {
  readonly id: string;
  readonly path?: string | undefined;
  readonly principal?: Principal | undefined;
  readonly log: Logger;
  /** Sends what belongs to no request. */
  readonly push: Send;
}

/** The conversation with one legacy client: who it is, what is under way, what it listens to. */
export class Session implements SessionHandle {
  readonly id: string;
  readonly path?: string;
  readonly principal?: Principal;
  client: ClientIdentity;
  capabilities: Json = {};
  version = negotiate(undefined);
  readonly #app: McpApp;
  readonly #options: SessionOptions;
  readonly #questions = new Questions();
  readonly #running = new Map<RequestId, Cancellation>();
  readonly #subscribed = new Set<string>();
  readonly #notified: ((method: string, params: Json) => void)[] = [];
  readonly #closed: (() => void)[] = [];
  #logLevel = 'debug';
  #isOpen = false;
  #isClosed = false;

  constructor(app: McpApp, options: SessionOptions) {
    this.#app = app;
    this.#options = options;
    this.id = options.id;
    this.client = { id: options.id };
    if (options.path !== undefined) this.path = options.path;
    if (options.principal) this.principal = options.principal;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Answers one request: calls back with `undefined` if the client cancelled it. What belongs to it goes through `send`. */
  answer(
    request: RpcRequest,
    send: Send,
    cancellation: Cancellation,
    done: (answer: Answer | undefined) => void,
  ): void {
    if (request.method === 'initialize')
      return void done(resultAnswer(request.id, this.#initialize(request.params ?? {})));
    if (request.method === 'ping' || this.#isSettled(request)) return void done(resultAnswer(request.id, {}));
    this.#open();
    this.#running.set(request.id, cancellation);
    exchange(this.#app, request, this.#caller(), { send, cancellation, log: this.#options.log }, (answer) => {
      if (this.#running.get(request.id) === cancellation) this.#running.delete(request.id);
      if (answer.fault === undefined) this.#remember(request);
      done(cancellation.isCancelled ? undefined : answer);
    });
  }

  notified({ method, params = {} }: RpcNotification): void {
    if (method === 'notifications/cancelled') this.#running.get(params.requestId as RequestId)?.abort();
    else if (method === 'notifications/initialized') this.#open();
    else for (const listener of this.#notified) listener(method, params);
  }

  answered(response: RpcResponse): void {
    this.#questions.answered(response);
  }

  /** Tells the client of a change; of resources only those it subscribed to. */
  changed(event: ChangeEvent): void {
    if (!this.#isOpen || this.#isClosed) return;
    if (event.kind === 'resource' ? !this.#subscribed.has(event.uri) : !this.#announces(event.kind)) return;
    const { method, params } = changeNotification(event);
    void this.notify(method, params);
  }

  async notify(method: string, params: Json): Promise<void> {
    if (!this.#isClosed) await sendQuietly(this.#options.push, notificationText(method, params));
  }

  ask(method: string, params: Json): Promise<Json> {
    return this.#questions.ask(this.#options.push, method, params);
  }

  onNotification(listener: (method: string, params: Json) => void): void {
    this.#notified.push(listener);
  }

  onClose(listener: () => void): void {
    this.#closed.push(listener);
  }

  /** Ends everything under way. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cancellation of this.#running.values()) cancellation.abort();
    this.#questions.close();
    for (const uri of this.#subscribed) this.#unsubscribe(uri);
    for (const listener of this.#closed) listener();
  }

  #initialize({ protocolVersion, capabilities, clientInfo }: Json): Json {
    this.version = negotiate(protocolVersion);
    if (isObject(capabilities)) this.capabilities = capabilities;
    if (isObject(clientInfo)) {
      const { name, version } = clientInfo;
      this.client = {
        id: this.id,
        ...(typeof name === 'string' && { name }),
        ...(typeof version === 'string' && { version }),
      };
    }
    const { info, instructions } = this.#app;
    return {
      protocolVersion: this.version,
      capabilities: this.#offered(),
      serverInfo: info,
      ...(instructions && { instructions }),
    };
  }

  #offered(): Json {
    return this.#app.capabilities({ era: 'legacy', ...(this.path !== undefined && { path: this.path }) });
  }

  #announces(list: string): boolean {
    return (this.#offered()[list] as Json | undefined)?.listChanged === true;
  }

  /** The app may talk to the client from here on; some clients never say that they are initialized. */
  #open(): void {
    if (this.#isOpen || this.#isClosed) return;
    this.#isOpen = true;
    this.#app.sessionOpened?.(this);
  }

  #caller(): Caller {
    return {
      codec: codec2025,
      client: this.client,
      capabilities: this.capabilities,
      logLevel: this.#logLevel,
      path: this.path,
      principal: this.principal,
      session: this,
      questions: this.#questions,
    };
  }

  /** An app counts its listeners, so it hears of each subscription once. */
  #isSettled({ method, params = {} }: RpcRequest): boolean {
    return method === 'resources/subscribe' && this.#subscribed.has(String(params.uri));
  }

  #remember({ method, params = {} }: RpcRequest): void {
    if (method === 'tools/call') return;
    if (method === 'logging/setLevel' && isLogLevel(params.level)) this.#logLevel = params.level;
    if (method === 'resources/subscribe' && typeof params.uri === 'string') this.#subscribed.add(params.uri);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(String(params.uri));
  }

  /** Unsubscribes a client that disconnected. */
  #unsubscribe(uri: string): void {
    const cancellation = new Cancellation();
    const send = () => {};
    const request = { id: 0, method: 'resources/unsubscribe', params: { uri } };
    exchange(this.#app, request, this.#caller(), { send, cancellation, log: this.#options.log }, () => {});
  }
}
