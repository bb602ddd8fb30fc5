import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpApp, Principal } from '../app.ts';
import { admit } from './auth.ts';
import { checkLength, readBody } from './body.ts';
import { abortOnDisconnect } from './call.ts';
import { hostGuard } from './guard.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { createMetrics, Metrics } from './metrics.ts';
import type { Authenticate, Settings } from './options.ts';
import { HttpRefusal, sendJson, sendRefusal } from './refusal.ts';
import { findRoute, type HttpRoute } from './route.ts';

/** What a request runs through: who may come in, where it goes, and what becomes of its failure. */
export function requestHandler(
  app: McpApp,
  settings: Settings,
  authenticate: Authenticate | undefined,
  newMetrics: typeof createMetrics,
) {
  const metrics: Metrics = newMetrics(app, () => endpoint.legacy.sessions.size);
  const endpoint: McpEndpoint = new McpEndpoint(app, settings, metrics);
  const checkHost = hostGuard(settings.host, settings.allowedHosts);
  const underWay = new Set<ServerResponse>();
  let isClosing = false;
  let onIdle = () => {};

  // The app's own routes come first: a server may word its health in its own way.
  const routes: readonly HttpRoute[] = [
    ...settings.routes,
    { method: 'GET', path: '/health', public: true, handle: (request, response) => health(request, response) },
    {
      method: 'GET',
      path: '/metrics',
      handle: async (_request, response) => {
        const text = await metrics.text();
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
      },
    },
  ];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkHost(request);
    if (isClosing) throw new HttpRefusal(503, 'The server is closing', { headers: { connection: 'close' } });
    const target = request.url ?? '/';
    const path = target === '/mcp' ? target : (target.split('?', 1)[0] ?? '/');
    if (path === '/mcp' || path.startsWith('/mcp/')) {
      const principal = authenticate && (await admit(authenticate, request));
      checkLength(request, settings.maxBodyBytes);
      return endpoint.handle({ request, response, path: path.slice(5) || undefined, principal });
    }
    return beside(path, request, response);
  }

  async function beside(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { route, methods } = findRoute(routes, path, request.method);
    const principal = authenticate && (await (route?.public ? isAdmitted : admit)(authenticate, request));
    if (!route && methods.length > 0) {
      throw new HttpRefusal(405, `Use ${methods.join(' or ')}`, { headers: { allow: methods.join(', ') } });
    }
    if (!route) throw new HttpRefusal(404, 'There is nothing here; MCP is at /mcp');
    checkLength(request, settings.maxBodyBytes);
    await route.handle(request, response, {
      url: new URL(request.url ?? '/', 'http://localhost'),
      client: { id: principal?.id ?? request.socket.remoteAddress ?? 'http' },
      signal: abortOnDisconnect(response).signal,
      isKnown: !authenticate || Boolean(principal),
      body: () => readBody(request, settings.maxBodyBytes),
      ...(principal && { principal }),
    });
  }

  /** Anyone may know whether it works; what works how is for those who are let in. */
  async function health(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const report = await app.health();
    const isKnown = !authenticate || (await isAdmitted(authenticate, request));
    const status = report.status === 'down' ? 503 : 200;
    sendJson(response, status, JSON.stringify(isKnown ? report : { status: report.status }));
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    underWay.add(response);
    // A caller that goes away while it is written to is no reason to fall.
    response.on('error', () => {});
    response.once('close', () => {
      underWay.delete(response);
      if (underWay.size === 0) onIdle();
    });
    answer(request, response).catch((error) => fail(request, response, error));
  }

  function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof HttpRefusal) {
      sendRefusal(response, error);
      return;
    }
    if (request.destroyed && !request.complete) return;
    settings.log.error('http request failed', { path: request.url?.split('?', 1)[0], error });
    if (response.headersSent) response.destroy();
    else sendRefusal(response, new HttpRefusal(500, 'Internal error'));
  }

  /** Takes no new work and gives what is under way its time, then ends it. */
  async function drain(): Promise<void> {
    isClosing = true;
    endpoint.endStreams();
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
      if (underWay.size === 0) resolve();
    });
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, settings.graceMs);
    });
    await Promise.race([idle, patience]);
    clearTimeout(timer);
    endpoint.close();
  }

  return { handle, drain };
}

async function isAdmitted(authenticate: Authenticate, request: IncomingMessage): Promise<Principal | undefined> {
  return admit(authenticate, request).catch(() => undefined);
}
