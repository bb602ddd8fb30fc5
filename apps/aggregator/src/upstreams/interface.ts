import type { ChangeEvent, Era, Json, McpApp, RawResult, RequestContext } from '@atoll-mcp/core';
import type { OutgoingRequest } from '@atoll-mcp/server/protocol';

/** One request on its way to an upstream, already in the upstream's own names. */
export interface UpstreamRequest extends OutgoingRequest {
  readonly context: RequestContext;
  readonly timeoutMs: number;
}

/** What an upstream reported in the handshake. */
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
  /** The server itself, if in process. */
  readonly app?: McpApp;
  /** A request without effects, to see whether the upstream still answers. */
  readonly probe: string;
  request(request: UpstreamRequest): Promise<Json | RawResult>;
  /** A request of the aggregator itself, such as a list page. */
  ask(method: string, params: Json, timeoutMs: number): Promise<Json>;
  notify(method: string, params: Json): void;
  /** Replaces the set of subscribed resources. */
  watch(uris: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Unsolicited events of an upstream. */
export interface LinkEvents {
  onChange(event: ChangeEvent): void;
  /** A notification that cannot be attributed to a call; `owners` have calls in flight. */
  onNotification(method: string, params: Json, owners: readonly unknown[]): void;
  onClose(why: string): void;
}

/** A kind of upstream: opens connections; restarts are up to the supervisor. */
export interface Upstream {
  readonly kind: 'in-process' | 'stdio' | 'http' | 'openapi';
  /** The last lines of stderr, for diagnosis by people. */
  readonly stderrTail?: readonly string[] | undefined;
  /** Aborting the signal cancels the attempt and releases everything. */
  open(events: LinkEvents, signal: AbortSignal): Promise<Link>;
}
