import { request as httpRequest } from 'node:http';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { serveHttp } from '../../src/http/serve-http.ts';
import { createLogger } from '../../src/logger.ts';
import { tinyApp } from '../fixtures/tiny-app.ts';
import { MODERN, modernHeaders, request, startServer, type TestServer } from './server.ts';

/** fetch would set Host by itself. */
function statusWith(
  { port }: TestServer,
  headers: Record<string, string>,
  path = '/mcp',
  host = '127.0.0.1',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(request(1, 'tools/list', { _meta: MODERN }));
    const all = { 'content-type': 'application/json', ...modernHeaders('tools/list'), ...headers };
    const method = path === '/mcp' ? 'POST' : 'GET';
    const sent = httpRequest({ host, port, path, method, headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

test('a Host or an Origin of somewhere else gets 403 on every path', async () => {
  const server = await startServer();
  const good: Record<string, string>[] = [
    { host: `localhost:${server.port}` },
    { host: `127.0.0.1:${server.port}` },
    { host: '[::1]:1' },
    { host: 'LOCALHOST' },
    { host: `localhost:${server.port}`, origin: `http://127.0.0.1:${server.port}` },
  ];
  for (const headers of good) expect(await statusWith(server, headers), JSON.stringify(headers)).toBe(200);
  const bad: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: 'evil.example:7410' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost@evil.example' },
    { origin: 'http://evil.example' },
    { origin: 'https://localhost.evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
  ];
  for (const headers of bad) {
    expect(await statusWith(server, headers), JSON.stringify(headers)).toBe(403);
    expect(await statusWith(server, headers, '/health')).toBe(403);
    expect(await statusWith(server, headers, '/metrics')).toBe(403);
  }
});

test('without a token, a page on another port of this machine may read and not change anything', async () => {
  const other = (port: number) => ({ host: `localhost:${port}`, origin: 'http://localhost:3000' });
  const open = await startServer();
  expect(await statusWith(open, other(open.port))).toBe(403);
  expect(await statusWith(open, other(open.port), '/health')).toBe(200);
  const allowed = await startServer({ allowedHosts: ['localhost:3000'] });
  expect(await statusWith(allowed, other(allowed.port))).toBe(200);
  const guarded = await startServer({ authToken: 'secret' });
  const headers = { ...other(guarded.port), authorization: 'Bearer secret' };
  expect(await statusWith(guarded, headers)).toBe(200);
});

test('a name can be allowed', async () => {
  const server = await startServer({ allowedHosts: ['atoll.example'] });
  expect(await statusWith(server, { host: 'atoll.example' })).toBe(200);
  expect(await statusWith(server, { origin: 'https://atoll.example' })).toBe(200);
});

test('an address beyond loopback is refused without a token', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.evil.example', '']) {
    await expect(serveHttp(tinyApp(), { host })).rejects.toThrow(/not loopback/);
  }
});

test('beyond loopback, with a token, the names of this machine are good and others are not', async () => {
  const server = await startServer({ host: '0.0.0.0', authToken: 'secret' });
  const authorization = 'Bearer secret';
  expect(await statusWith(server, { authorization, host: `127.0.0.1:${server.port}` })).toBe(200);
  expect(await statusWith(server, { authorization, host: hostname() })).toBe(200);
  expect(await statusWith(server, { authorization, host: 'evil.example' })).toBe(403);
  expect(await statusWith(server, { authorization, host: '203.0.113.9' })).toBe(403);
});

test('without the right token there is 401 and how to do better, and the token is never logged', async () => {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', level: 'debug', stream: { write: (line) => void lines.push(line) } });
  const server = await startServer({ authToken: 'a-long-secret', log });
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic a-long-secret' }]) {
    const refused = await server.modern('tools/list', {}, headers);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
  }
  const admitted = await server.modern('tools/list', {}, { authorization: 'Bearer a-long-secret' });
  expect(admitted.status).toBe(200);
  expect(await statusWith(server, {}, '/metrics')).toBe(401);
  expect(await statusWith(server, { authorization: 'bearer a-long-secret' }, '/metrics')).toBe(200);
  const crash = { name: 'crash' };
  await server.modern('tools/call', crash, { authorization: 'Bearer a-long-secret' });
  expect(lines.join('')).toContain('request crashed');
  expect(lines.join('')).not.toContain('a-long-secret');
});

test('health tells strangers only whether it works', async () => {
  const app = { ...tinyApp(), health: async () => ({ status: 'down', database: 'gone' }) as const };
  const server = await serveHttp(app, { authToken: 'secret' });
  onTestFinished(() => server.close());
  const url = new URL('/health', server.url);
  const stranger = await fetch(url);
  expect(stranger.status).toBe(503);
  expect(await stranger.json()).toEqual({ status: 'down' });
  const known = await fetch(url, { headers: { authorization: 'Bearer secret' } });
  expect(await known.json()).toEqual({ status: 'down', database: 'gone' });
});

test('several callers can be known, and a session belongs to the one that opened it', async () => {
  const server = await startServer({
    authToken: 'the-one-token',
    authenticate: ({ headers }) => {
      if (headers.authorization === 'Bearer blocked') return { status: 403, message: 'Not here' };
      const name = /^Bearer (ada|bob)$/.exec(headers.authorization ?? '')?.[1];
      return name ? { id: name } : undefined;
    },
  });
  expect((await server.modern('tools/list', {}, { authorization: 'Bearer eve' })).status).toBe(401);
  expect((await server.modern('tools/list', {}, { authorization: 'Bearer the-one-token' })).status).toBe(200);
  const ada = await server.session('2025-11-25', { authorization: 'Bearer ada' });
  expect((await server.post(request(1, 'ping'), ada)).status).toBe(200);
  expect((await server.post(request(1, 'ping'), { ...ada, authorization: 'Bearer bob' })).status).toBe(404);
  expect((await server.post(request(1, 'ping'), { ...ada, authorization: 'Bearer eve' })).status).toBe(401);
  expect((await server.post(request(1, 'ping'), { ...ada, authorization: 'Bearer blocked' })).status).toBe(403);
});
