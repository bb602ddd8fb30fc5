import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpApp } from '@atoll-mcp/core';
import { silentLogger } from '@atoll-mcp/core';
import { bearerToken, either } from './auth.ts';
import { HttpFront } from './front.ts';
import { formatHost, isLoopback } from './guard.ts';
import { DEFAULTS, type HttpServeOptions, type HttpServer, type Settings } from './options.ts';

/** Why an address cannot be used, or undefined. */
export function checkBind(host: string, isGuarded: unknown): string | undefined {
  if (isGuarded || isLoopback(host)) return undefined;
  return `${host} is not loopback, so a token is needed (--auth-token-file)`;
}

/** Serves an app at `/mcp` in both protocol eras, with its health, its metrics and the routes beside it. */
export async function serveHttp(app: McpApp, options: HttpServeOptions = {}): Promise<HttpServer> {
  const settings: Settings = { ...DEFAULTS, log: silentLogger, ...options };
  const { authToken } = options;
  const authenticate = either(authToken ? bearerToken(authToken) : undefined, options.authenticate);
  const problem = checkBind(settings.host, authenticate);
  if (problem) throw new Error(problem);
  const { createMetrics } = await import('./metrics.ts');
  const front = new HttpFront(app, settings, authenticate, createMetrics);
  const server = await newServer(settings, options.tls, front.handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host.replace(/^\[|\]$/g, ''), resolve);
  });
  server.on('error', (error) => settings.log.error('http server failed', { error }));
  const { port } = server.address() as AddressInfo;
  const url = `${options.tls ? 'https' : 'http'}://${formatHost(settings.host)}:${port}/mcp`;
  app.served?.(url);
  settings.log.info('listening', { url });
  let closed: Promise<void> | undefined;
  return { url, port, close: () => (closed ??= close(server, front)) };
}

/** Programs on stdio import this file too, so what only a listening one needs is loaded here. */
async function newServer(settings: Settings, tls: HttpServeOptions['tls'], handle: RequestListener): Promise<Server> {
  const limits = {
    maxHeaderSize: settings.maxHeaderBytes,
    requestTimeout: settings.requestTimeoutMs,
    headersTimeout: Math.min(settings.requestTimeoutMs, 15_000),
    connectionsCheckingInterval: Math.max(50, Math.min(settings.requestTimeoutMs / 4, 5000)),
    keepAliveTimeout: 30_000,
  };
  if (tls) return (await import('node:https')).createServer({ ...limits, ...tls }, handle);
  return (await import('node:http')).createServer(limits, handle);
}

async function close(server: Server, front: HttpFront): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  await front.drain();
  server.closeAllConnections();
  await stopped;
}
