import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientIdentity, HealthReport, Limits, Principal } from '@atoll-mcp/core';

export interface RouteContext {
  readonly url: URL;
  readonly client: ClientIdentity;
  readonly principal?: Principal;
  /** What the caller is limited to; absent means not limited. */
  readonly limits?: Limits;
  /** Whether the caller may see everything; on a public route anyone may come. */
  readonly isKnown: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** What `/health` reports, for an app with its own format. */
  health(): Promise<HealthReport>;
  /** The whole body, within the server's limit. */
  body(): Promise<Buffer>;
}

/** HTTP beside `/mcp`. The same address, limits and token apply, unless the route is public. */
export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** An exact path, or a prefix when it ends with `/*`. */
  readonly path: string;
  readonly public?: boolean;
  handle(request: IncomingMessage, response: ServerResponse, context: RouteContext): Promise<void>;
}

export function findRoute(routes: readonly HttpRoute[], path: string, method: string | undefined): RouteMatch {
  const here = routes.filter((route) => matches(route.path, path));
  const wanted = method === 'HEAD' ? 'GET' : method;
  return { route: here.find((route) => route.method === wanted), methods: here.map((route) => route.method) };
}

interface RouteMatch {
  readonly route: HttpRoute | undefined;
  /** What the path does answer to. */
  readonly methods: readonly string[];
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
