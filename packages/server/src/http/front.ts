import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HealthReport, McpApp, Principal } from '@atoll-mcp/core';
import { admit, admitIfKnown } from './auth.ts';
import { BodyReader, checkLength } from './body.ts';
import { abortOnDisconnect } from './call.ts';
import { DataFolder, withFolderProblem } from './folder-health.ts';
import { hostGuard } from './guard.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { createMetrics, Metrics } from './metrics.ts';
import type { Authenticate, Settings } from './options.ts';
import { HttpRefusal, sendJson, sendRefusal } from './refusal.ts';
import { findRoute, type HttpRoute } from './route.ts';

/** Every request passes through here: access checks, routing and error responses. */
export class HttpFront {
  readonly #app: McpApp;
  readonly #settings: Settings;
  readonly #authenticate: Authenticate | undefined;
  readonly #dataFolder: DataFolder | undefined;
  readonly #metrics: Metrics;
  readonly #endpoint: McpEndpoint;
  readonly #bodies: BodyReader;
  readonly #routes: readonly HttpRoute[];
  readonly #checkHost: (request: IncomingMessage) => void;
  #underWay = 0;
  #isClosing = false;
  #onIdle = () => {};

  constructor(
    app: McpApp,
    settings: Settings,
    authenticate: Authenticate | undefined,
    newMetrics: typeof createMetrics,
  ) {
    this.#app = app;
    this.#settings = settings;
    this.#dataFolder = settings.dataDir === undefined ? undefined : new DataFolder(settings.dataDir);
    this.#authenticate = authenticate;
    this.#metrics = newMetrics(app, () => this.#endpoint.sessions.size);
    this.#bodies = new BodyReader(settings.maxBodyBytes, settings.maxBodiesBytes);
    this.#endpoint = new McpEndpoint(app, settings, { metrics: this.#metrics, bodies: this.#bodies });
    this.#checkHost = hostGuard(settings.host, settings.allowedHosts, { isOpen: authenticate === undefined });
    // The app's own routes come first: a server may have its own format for health.
    this.#routes = [
      ...settings.routes,
      {
        method: 'GET',
        path: '/health',
        public: true,
        handle: (_request, response, { isKnown, health }) => this.#health(response, isKnown, health),
      },
      {
        method: 'GET',
        path: '/metrics',
        handle: (_request, response, { principal }) => this.#showMetrics(response, principal),
      },
    ];
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#underWay++;
    response.on('error', IGNORE);
    response.on('close', () => {
      this.#underWay--;
      if (this.#underWay === 0) this.#onIdle();
    });
    this.#answer(request, response).catch((error) => this.#fail(request, response, error));
  };

  /** Rejects new requests, waits `graceMs` for running ones, then aborts them. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    this.#endpoint.endStreams();
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#underWay === 0) resolve();
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#settings.graceMs);
    });
    await Promise.race([idle, timeout]);
    clearTimeout(timer);
    this.#endpoint.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#checkHost(request);
    if (this.#isClosing) throw new HttpRefusal(503, 'The server is closing', { headers: { connection: 'close' } });
    const target = request.url ?? '/';
    const path = target === '/mcp' ? target : (target.split('?', 1)[0] ?? '/');
    if (path !== '/mcp' && !path.startsWith('/mcp/')) return this.#beside(path, request, response);
    const principal = this.#authenticate && (await admit(this.#authenticate, request));
    checkLength(request, this.#settings.maxBodyBytes);
    return this.#endpoint.handle({ request, response, path: path.slice('/mcp/'.length) || undefined, principal });
  }

  async #beside(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { route, methods } = findRoute(this.#routes, path, request.method);
    const authenticate = this.#authenticate;
    const principal = authenticate && (await (route?.public ? admitIfKnown : admit)(authenticate, request));
    if (!route && methods.length > 0) {
      throw new HttpRefusal(405, `Use ${methods.join(' or ')}`, { headers: { allow: methods.join(', ') } });
    }
    if (!route) throw new HttpRefusal(404, 'Not found; MCP is at /mcp');
    const { maxBodyBytes } = this.#settings;
    checkLength(request, maxBodyBytes);
    await route.handle(request, response, {
      url: new URL(request.url ?? '/', 'http://localhost'),
      client: { id: principal?.id ?? request.socket.remoteAddress ?? 'http' },
      signal: abortOnDisconnect(response).signal,
      isKnown: !authenticate || principal !== undefined,
      health: () => this.#report(principal),
      body: () => this.#bodies.read(request),
      ...(principal && { principal }),
    });
  }

  /** The status is public; details are for authenticated callers. */
  async #health(response: ServerResponse, isKnown: boolean, health: () => Promise<HealthReport>): Promise<void> {
    const report = await health();
    const shown = isKnown ? report : { status: report.status };
    sendJson(response, report.status === 'down' ? 503 : 200, JSON.stringify(shown));
  }

  /** The app's own report, with what only the process knows. */
  async #report(principal: Principal | undefined): Promise<HealthReport> {
    const own = await this.#app.health(principal && { principal }).catch((error): HealthReport => {
      this.#settings.log.error('health check failed', { error });
      return { status: 'down' };
    });
    const unhandled = this.#settings.unhandledRejections();
    const report: HealthReport =
      unhandled > 0
        ? { ...own, status: own.status === 'ok' ? 'degraded' : own.status, unhandled_rejections: unhandled }
        : own;
    return withFolderProblem(report, await this.#dataFolder?.problem());
  }

  async #showMetrics(response: ServerResponse, principal: Principal | undefined): Promise<void> {
    const text = await this.#metrics.text(principal);
    response.writeHead(200, { 'content-type': this.#metrics.contentType }).end(text);
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof HttpRefusal) {
      sendRefusal(response, error);
      return;
    }
    if (request.destroyed && !request.complete) return;
    this.#settings.log.error('http request failed', { path: request.url?.split('?', 1)[0], error });
    if (response.headersSent) response.destroy();
    else sendRefusal(response, new HttpRefusal(500, 'Internal error'));
  }
}

/** For write errors from disconnected clients. */
const IGNORE = () => {};
