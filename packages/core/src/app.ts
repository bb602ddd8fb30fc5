import type { ClientIdentity } from './contract.ts';
import type { Json } from './json.ts';
import type { RawResult } from './raw-result.ts';

export type Era = 'legacy' | 'modern';

/** Whom a request was proven to come from, with whatever else the proof said. */
export interface Principal {
  readonly id: string;
  readonly [claim: string]: unknown;
}

/** Names that a caller is limited to, by kind. An app leaves out the kinds that it does not know. */
export type Limits = Readonly<Record<string, readonly string[]>>;

/** One request of a client, as an app sees it, whatever carried it. */
export interface RequestContext {
  /** `modern` is 2026-07-28 and later, without sessions; `legacy` is everything before. */
  readonly era: Era;
  readonly client: ClientIdentity;
  /** What the client says it can do. */
  readonly capabilities: Json;
  /** `_meta` of the request, the progress token included. */
  readonly meta: Json;
  readonly signal: AbortSignal;
  /** Calls back when the signal is aborted; cheaper than the signal, which edges make only when it is looked at. */
  readonly onAbort?: (listener: () => void) => () => void;
  /** Sends a notification that belongs to this request (progress, logging). */
  notify(method: string, params: Json): Promise<void>;
  /** Asks the client something while the request is under way; only legacy clients can be asked. */
  readonly ask?: (method: string, params: Json) => Promise<Json>;
  /** Answers to an earlier `input_required`, and the state that came with it (modern only). */
  readonly inputResponses?: Json;
  readonly requestState?: string;
  /** The path of the endpoint, for apps that show different views. */
  readonly path?: string;
  /** Who asks, where the edge has made sure of it. */
  readonly principal?: Principal;
  /** What the caller is limited to, by what an app calls it, such as `{ collections: ['invoices'] }`; absent means not limited. */
  readonly limits?: Limits;
  /** The connection the request came on, where it outlives the request (legacy only). */
  readonly session?: SessionHandle;
  /** To be called with the tool of a call, as `tools/list` shows it, before it runs; throws where the request contradicts its schema. */
  readonly foundTool?: (tool: Json) => void;
}

export type ChangeEvent =
  | { readonly kind: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface HealthReport {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly [detail: string]: unknown;
}

/** The app's own name of a tool, by the name that a client used. */
export type OwnName = (listed: string) => string | undefined;

/** How a request ended: with its result, or an error. */
export type Outcome = Json | RawResult | Error;

/**
 * Anything that answers MCP requests. Servers made from a contract are apps, and so is the aggregator;
 * the edges (stdio, HTTP, in memory) carry any app in both protocol eras.
 */
export interface McpApp {
  readonly info: {
    readonly name: string;
    readonly version: string;
    readonly title?: string;
    readonly description?: string;
  };
  readonly instructions?: string;
  /** As in `initialize`; an edge adds nothing. */
  capabilities(request: Pick<RequestContext, 'era' | 'path'>): Json;
  /**
   * The result of a request. Throws `MethodNotFound`, `InvalidParams` or another `ProtocolFault` for the protocol's own errors.
   * Methods the edge does not know come here too. A modern `subscriptions/listen` reaches an app as one `resources/subscribe`
   * per URI when it begins and one `resources/unsubscribe` when it ends.
   */
  handle(method: string, params: Json, request: RequestContext): Promise<Json | RawResult>;
  /** A tool as `tools/list` shows it. Calls report their tool themselves, by `foundTool`. */
  tool?(name: string, request: Pick<RequestContext, 'era' | 'path'>): Json | undefined;
  /** What else people call what a tool does, for a search over tools. */
  keywordsOf?(tool: string): string | undefined;
  /**
   * Reads a message from its bytes where that is cheaper than JSON.parse, or gives `undefined` to leave it to JSON.parse. `ownName`
   * turns a listed tool name into the app's own, for apps that stand behind another one; `undefined` is a tool of some other app.
   */
  parse?(bytes: Buffer, request: Pick<RequestContext, 'path' | 'principal'>, ownName?: OwnName): unknown;
  /** Calls back on each change of a list or a resource, until the returned function is called. */
  onChange(listener: (event: ChangeEvent) => void): () => void;
  /** Told where HTTP clients reach it, once they do, for apps that give out links. */
  served?(url: string): void;
  /** A legacy client has begun or ended a session. */
  sessionOpened?(session: SessionHandle): void;
  /** As the caller may see it; all of it without a caller. */
  health(caller?: Pick<RequestContext, 'principal'>): Promise<HealthReport>;
  /** Figures of its own in Prometheus text, to stand beside those of the edge. */
  metrics?(caller?: Pick<RequestContext, 'principal'>): Promise<string>;
  close(): Promise<void>;
}

/** A live connection of a legacy client, for apps that talk to it outside a request. */
export interface SessionHandle {
  readonly id: string;
  readonly client: ClientIdentity;
  readonly capabilities: Json;
  readonly path?: string;
  readonly principal?: Principal;
  notify(method: string, params: Json): Promise<void>;
  ask(method: string, params: Json): Promise<Json>;
  /** Notifications of the client that belong to no request, such as `notifications/roots/list_changed`. */
  onNotification(listener: (method: string, params: Json) => void): void;
  onClose(listener: () => void): void;
}
