import type { ChangeEvent, Era, Json, McpApp, Outcome, RawResult, RequestContext } from '@atoll-mcp/core';

/** One request on its way to an upstream, already in the upstream's own names. */
export interface UpstreamRequest {
  readonly method: string;
  readonly params: Json;
  readonly context: RequestContext;
  readonly timeoutMs: number;
  /** The level from which on a legacy client wants log messages. */
  readonly logLevel?: string;
}

/** What an upstream said of itself when it was greeted. */
export interface UpstreamInfo {
  readonly era: Era;
  readonly serverInfo: Json;
  readonly capabilities: Json;
  readonly instructions?: string;
}

/** An open connection to an upstream. */
export interface Link extends UpstreamInfo {
  readonly pid?: number | undefined;
  readonly stderrTail?: readonly string[];
  /** The server itself, where it lives in this process. */
  readonly app?: McpApp;
  request(request: UpstreamRequest): Promise<Json | RawResult>;
  /** The same without promises; false, having done nothing, where the request needs more than to be passed on. */
  forward?(request: UpstreamRequest, done: (outcome: Outcome) => void): boolean;
  /** A request of our own, such as a page of a list. */
  ask(method: string, params: Json, timeoutMs: number): Promise<Json>;
  notify(method: string, params: Json): void;
  /** Exactly these resources shall be watched from now on. */
  watch(uris: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What an upstream may say without being asked. */
export interface LinkEvents {
  onChange(event: ChangeEvent): void;
  /** A log message or another notification that belongs to no call we could tell; `owners` are those with calls under way. */
  onNotification(method: string, params: Json, owners: readonly unknown[]): void;
  onClose(why: string): void;
}

/** A kind of upstream: knows how to open a connection and nothing of restarts. */
export interface Upstream {
  readonly kind: 'in-process' | 'stdio' | 'http';
  /** What its last process wrote to standard error, for people who look why it does not start. */
  readonly stderrTail?: readonly string[] | undefined;
  /** Gives up when the signal is aborted, and leaves nothing behind. */
  open(events: LinkEvents, signal: AbortSignal): Promise<Link>;
}
