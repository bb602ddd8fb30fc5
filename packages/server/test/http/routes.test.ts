import { connectHttp } from '@atoll-mcp/testing';
import { expect, onTestFinished, test } from 'vitest';
import { HttpRefusal } from '../../src/http/refusal.ts';
import type { HttpRoute } from '../../src/http/route.ts';
import { serveHttp } from '../../src/http/serve-http.ts';
import { notesServer } from '../fixtures/notes.ts';
import { startServer } from './server.ts';

const routes: HttpRoute[] = [
  {
    method: 'POST',
    path: '/upper',
    handle: async (_request, response, context) => {
      response.end((await context.body()).toString().toUpperCase());
    },
  },
  {
    method: 'GET',
    path: '/files/*',
    public: true,
    handle: async (_request, response, { url }) => void response.end(`${url.pathname} ${url.searchParams.get('q')}`),
  },
  {
    method: 'GET',
    path: '/crash',
    handle: async () => {
      throw new Error('secret detail');
    },
  },
  {
    method: 'GET',
    path: '/teapot',
    handle: async () => {
      throw new HttpRefusal(418, 'Short and stout');
    },
  },
];

test('routes beside /mcp obey the same token and limits, unless they are public', async () => {
  const server = await startServer({ routes, authToken: 'secret', maxBodyBytes: 100 });
  const authorization = 'Bearer secret';
  const at = (path: string, init: RequestInit = {}) => fetch(new URL(path, server.url), init);
  expect((await at('/upper', { method: 'POST', body: 'abc' })).status).toBe(401);
  const upper = await at('/upper', { method: 'POST', body: 'abc', headers: { authorization } });
  expect(await upper.text()).toBe('ABC');
  const large = await at('/upper', { method: 'POST', body: 'x'.repeat(200), headers: { authorization } });
  expect(large.status).toBe(413);
  expect(await (await at('/files/a/b?q=1')).text()).toBe('/files/a/b 1');
  expect((await at('/upper', { headers: { authorization } })).status).toBe(405);
  expect((await at('/teapot', { headers: { authorization } })).status).toBe(418);
});

test('a route that crashes is answered without its message', async () => {
  const server = await startServer({ routes });
  const response = await fetch(new URL('/crash', server.url));
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret detail');
});

test('metrics count calls, failures by code, time, sessions and the delay of the event loop', async () => {
  const server = await startServer();
  await server.session();
  await server.modern('tools/call', { name: 'echo', arguments: { text: 'hi' } });
  await server.modern('tools/call', { name: 'made up by the caller' });
  await server.modern('made/up');
  const text = await (await fetch(new URL('/metrics', server.url))).text();
  expect(text).toContain('mcp_requests_total{method="tools/call",tool="echo",server="tiny"} 1');
  expect(text).toContain(
    'mcp_request_failures_total{method="tools/call",tool="unknown",code="-32602",server="tiny"} 1',
  );
  expect(text).toContain('mcp_request_failures_total{method="other",tool="",code="-32601",server="tiny"} 1');
  expect(text).toMatch(
    /mcp_request_duration_seconds_bucket\{le="0.001",server="tiny",method="tools\/call",tool="echo"\}/,
  );
  expect(text).toContain('mcp_sessions{server="tiny"} 1');
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(text).not.toContain('made up');
});

test('a failure of a tool is counted under the code that its contract names', async () => {
  const server = await serveHttp(notesServer());
  onTestFinished(() => server.close());
  const client = await connectHttp(server.url);
  onTestFinished(() => client.close());
  await client.callTool({ name: 'note.add', arguments: { text: '' } });
  const text = await (await fetch(new URL('/metrics', server.url))).text();
  expect(text).toMatch(/^mcp_request_failures_total\{method="tools\/call",tool="note.add",code="INVALID",.*\} 1$/m);
});

test('a health check that crashes means that it is down', async () => {
  const app = { ...notesServer(), health: () => Promise.reject(new Error('secret detail')) };
  const server = await serveHttp(app);
  onTestFinished(() => server.close());
  const response = await fetch(new URL('/health', server.url));
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ status: 'down' });
});
