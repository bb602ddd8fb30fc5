import { onTestFinished, vi } from 'vitest';
import type { HttpServeOptions } from '../../src/http/options.ts';
import { serveHttp } from '../../src/http/serve-http.ts';
import { type TinyApp, tinyApp } from '../fixtures/tiny-app.ts';

// A busy machine is slow, not wrong.
vi.setConfig({ testTimeout: 60_000 });
export const PATIENT = { timeout: 30_000 };

export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The messages of the answer, whether it came as JSON or as a stream. */
  readonly messages: { id?: unknown; method?: string; result?: Record<string, unknown>; error?: { code: number } }[];
}

export interface TestServer {
  readonly app: TinyApp;
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
  post(body: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** Opens a session and gives the headers that name it. */
  session(version?: string, headers?: Record<string, string>): Promise<Record<string, string>>;
  modern(method: string, params?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answered>;
}

/** A tiny app on a port of its own, gone when the test is over. */
export async function startServer(options: HttpServeOptions = {}): Promise<TestServer> {
  const app = tinyApp();
  const server = await serveHttp(app, { graceMs: 100, ...options });
  onTestFinished(() => server.close());
  const post: TestServer['post'] = async (body, headers = {}) =>
    read(
      await fetch(server.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  return {
    app,
    url: server.url,
    port: server.port,
    close: () => server.close(),
    post,
    async session(version = '2025-11-25', headers = {}) {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const opened = await post(request(0, 'initialize', params), headers);
      return { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    },
    modern: (method, params = {}, headers = {}) =>
      post(request(1, method, { ...params, _meta: MODERN }), { ...modernHeaders(method, params), ...headers }),
  };
}

export function request(id: number, method: string, params: object = {}) {
  return { jsonrpc: '2.0', id, method, params };
}

export function modernHeaders(method: string, { name, uri }: Record<string, unknown> = {}): Record<string, string> {
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...((name ?? uri) !== undefined && { 'mcp-name': String(name ?? uri) }),
  };
}

async function read(response: Response): Promise<Answered> {
  const text = await response.text();
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const messages = type.includes('event-stream')
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(String(data)))
    : type.includes('json') && text !== ''
      ? [JSON.parse(text)]
      : [];
  return { status, headers, text, messages };
}
