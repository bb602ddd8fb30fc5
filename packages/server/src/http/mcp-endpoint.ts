import { type ChangeEvent, type McpApp, parseJson } from '@atoll-mcp/core';
import { claimsModernEra } from '../protocol/rev-2026-07-28/envelope.ts';
import { initializeInModernEra, missingEnvelope } from '../protocol/rev-2026-07-28/headers.ts';
import { mismatch } from '../protocol/rev-2026-07-28/param-headers.ts';
import { invalidRequest, parseFault, type RpcNotification, readMessage } from '../protocol/shared/json-rpc.ts';
import { namesModernEra, versionHeader } from '../protocol/shared/revisions.ts';
import type { BodyReader } from './body.ts';
import type { HttpCall } from './call.ts';
import { LegacyEndpoint } from './legacy-endpoint.ts';
import type { Metrics } from './metrics.ts';
import { ModernEndpoint } from './modern-endpoint.ts';
import type { Settings } from './options.ts';
import { HttpRefusal } from './refusal.ts';
import type { Sessions } from './sessions.ts';

/** `/mcp`, in both eras: each request is read once and goes to the era that its body claims. */
export class McpEndpoint {
  readonly #app: McpApp;
  readonly #legacy: LegacyEndpoint;
  readonly #modern: ModernEndpoint;
  readonly #bodies: BodyReader;
  readonly #metrics: Metrics;
  readonly #unlisten: () => void;

  constructor(app: McpApp, settings: Settings, { metrics, bodies }: { metrics: Metrics; bodies: BodyReader }) {
    this.#app = app;
    this.#bodies = bodies;
    this.#metrics = metrics;
    this.#legacy = new LegacyEndpoint(app, settings, metrics.observe);
    this.#modern = new ModernEndpoint(app, settings);
    this.#unlisten = app.onChange((event) => this.#changed(event));
  }

  get sessions(): Sessions {
    return this.#legacy.sessions;
  }

  async handle(call: HttpCall): Promise<void> {
    const { method } = call.request;
    if (method === 'POST') return this.#post(call);
    if (method === 'GET') return this.#legacy.get(call);
    if (method === 'DELETE') return this.#legacy.delete(call);
    throw new HttpRefusal(405, 'Use POST, GET or DELETE', { headers: { allow: 'GET, POST, DELETE' } });
  }

  /** Closes streams that would never end by themselves; running requests continue. */
  endStreams(): void {
    this.#unlisten();
    this.#modern.endStreams();
    this.sessions.endStreams();
  }

  /** Aborts every running request. */
  close(): void {
    this.#modern.close();
    this.sessions.close();
  }

  async #post(call: HttpCall): Promise<void> {
    const { headers } = call.request;
    if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new HttpRefusal(415, 'Content-Type must be application/json');
    }
    const value = this.#parse(await this.#bodies.read(call.request), call);
    const version = versionHeader(headers);
    const isModernHeader = version !== undefined && namesModernEra(version);
    if (Array.isArray(value)) {
      if (isModernHeader) throw new HttpRefusal(400, invalidRequest(`${version} does not support batches`));
      return this.#legacy.postBatch(value, call);
    }
    const message = readMessage(value);
    if (message.kind === 'invalid') {
      throw new HttpRefusal(400, invalidRequest('The body is not a JSON-RPC message'), { id: message.id });
    }
    if (message.kind === 'request') {
      const { request } = message;
      if (claimsModernEra(request.params)) {
        const startedAt = performance.now();
        return this.#modern.post(request, call, (answer) => this.#metrics.observe(request, answer, startedAt));
      }
      if (isModernHeader) {
        const { id } = request;
        if (request.method === 'initialize') throw new HttpRefusal(400, initializeInModernEra(version), { id });
        throw new HttpRefusal(400, missingEnvelope(request.params), { id });
      }
    }
    if (message.kind === 'notification' && (isModernHeader || claimsModernEra(message.notification.params))) {
      return this.#modernNotification(message.notification, call);
    }
    return this.#legacy.post(message, call);
  }

  #parse(body: Buffer, { path, principal }: HttpCall): unknown {
    try {
      const request = { ...(path !== undefined && { path }), ...(principal && { principal }) };
      return this.#app.parse?.(body, request) ?? parseJson(body.toString('utf8'));
    } catch {
      throw new HttpRefusal(400, parseFault());
    }
  }

  /** Nothing outlives a modern request, so there is nothing to notify; it is only checked. */
  #modernNotification({ method }: RpcNotification, { request, response }: HttpCall): void {
    const header = request.headers['mcp-method'];
    if (header !== undefined && header !== method) {
      throw new HttpRefusal(400, mismatch('Mcp-Method', `the body says ${method}, the header ${String(header)}`));
    }
    response.writeHead(202).end();
  }

  #changed(event: ChangeEvent): void {
    this.sessions.changed(event);
    this.#modern.changed(event);
  }
}
