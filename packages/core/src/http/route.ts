import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientIdentity } from '../contract.ts';

export interface RouteContext {
  readonly url: URL;
  readonly client: ClientIdentity;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
}

/** HTTP beside `/mcp`. The same address, limits and token apply, unless the route is public. */
export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** An exact path, or a prefix when it ends with `/*`. */
  readonly path: string;
  readonly public?: boolean;
  handle(request: IncomingMessage, response: ServerResponse, context: RouteContext): Promise<void>;
}
