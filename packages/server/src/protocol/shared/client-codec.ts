import type { Era, Json, RequestContext } from '@atoll-mcp/core';

/** A request to a server: passed on for a client, or our own where there is no context. */
export interface OutgoingRequest {
  readonly method: string;
  readonly params: Json;
  readonly context?: RequestContext;
  /** Minimum log level of a client that set one in its session. */
  readonly logLevel?: string;
}

/** What sending a request depends on in one revision of the protocol. */
export interface ClientCodec {
  readonly era: Era;
  /** A request that every server answers and that changes nothing. */
  readonly probe: string;
  /** The parameters as this revision has them. The progress token is added per call. */
  requestParams(request: OutgoingRequest, clientInfo: Json): Json;
  /** Whether a client of the same revision can get the text of this result unchanged. */
  isComplete(result: Json): boolean;
}

/** Entries of `_meta` other than the protocol's own and the progress token. */
export function clientMeta(meta: Json, ownKeys: readonly string[]): Json | undefined {
  let kept: [string, unknown][] | undefined;
  for (const key in meta) {
    if (key === 'progressToken' || ownKeys.includes(key)) continue;
    kept ??= [];
    kept.push([key, meta[key]]);
  }
  // Not by assignment, which would set the prototype for a key "__proto__".
  return kept && Object.fromEntries(kept);
}
