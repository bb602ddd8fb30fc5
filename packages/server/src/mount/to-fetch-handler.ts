import { type McpApp, silentLogger } from '@atoll-mcp/core';
import { bearerToken, either } from '../http/auth.ts';
import { HttpFront } from '../http/front.ts';
import { isLoopback } from '../http/guard.ts';
import { createMetrics } from '../http/metrics.ts';
import { DEFAULTS, type HttpExtras, type HttpServeOptions } from '../http/options.ts';
import { FetchResponse, incomingOf } from './fetch-exchange.ts';

/** Options of `serveHttp` that do not belong to a listening socket. */
export type FetchHandlerOptions = Omit<
  HttpServeOptions,
  'host' | 'port' | 'tls' | 'maxHeaderBytes' | 'requestTimeoutMs'
>;

export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** Ends open streams and waits for requests under way. */
  close(): Promise<void>;
}

/**
 * Serves an app from a `Request → Response` function, for Hono, Bun, Deno, Workers and the like: `/mcp`, `/health`, `/metrics` and
 * the app's own routes. Name the public host in `allowedHosts`; only loopback names are served otherwise.
 */
export function toFetchHandler(app: McpApp & HttpExtras, options: FetchHandlerOptions = {}): FetchHandler {
  const { authToken, ...given } = options;
  const authenticate = either(authToken ? bearerToken(authToken) : undefined, options.authenticate ?? app.authenticate);
  const publicHost = given.allowedHosts?.find((host) => !isLoopback(host));
  if (publicHost !== undefined && !authenticate) {
    throw new Error(`Serving ${publicHost} needs authToken or authenticate: without one, anyone could call every tool`);
  }
  const settings = { ...DEFAULTS, log: silentLogger, routes: app.routes ?? [], ...given };
  const front = new HttpFront(app, settings, authenticate, createMetrics);
  const handler = (request: Request) => {
    const response = new FetchResponse(request.signal);
    front.handle(incomingOf(request), response.asServerResponse);
    return response.response;
  };
  return Object.assign(handler, { close: () => front.drain() });
}
