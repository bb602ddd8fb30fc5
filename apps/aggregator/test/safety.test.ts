import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { createLogger, serveHttp } from '@atoll-mcp/server';
import { connectHttp } from '@atoll-mcp/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { after, configOf, eventually, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

async function serve(app: Aggregator, log = createLogger({ name: 'test', level: 'error' })) {
  const { routes, authenticate } = app;
  const server = await serveHttp(app, {
    routes,
    log,
    graceMs: 100,
    ...(authenticate && { authenticate }),
  });
  after(() => server.close());
  return server;
}

const post = (url: string, token?: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
  });

test('each token has its own views, and no token or a wrong one is refused', async () => {
  const app = startAggregator(
    {
      mcpServers: { one: legacyServer(), two: legacyServer() },
      views: { only_one: { servers: ['one'] } },
      tokens: [
        { name: 'ada', token: `\${ADA}`, views: ['only_one'] },
        { name: 'root', token: 'root-token' },
      ],
    },
    { env: { ADA: 'ada-token' } },
  );
  const { url } = await serve(app);
  const none = await post(url);
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="atoll"']);
  const wrong = await post(url, 'wrong');
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="atoll", error="invalid_token"',
  ]);
  const list = async (token: string, view = '') => {
    const client = await connectHttp(url + view, { token });
    after(() => client.close());
    return (await client.listTools()).tools.map(({ name }) => name);
  };
  expect(await list('root-token')).toEqual(expect.arrayContaining(['one_echo', 'two_echo']));
  const ada = await list('ada-token');
  expect(ada).toContain('one_echo');
  expect(ada.some((name) => name.startsWith('two_'))).toBe(false);
  expect(await list('ada-token', '/only_one')).toEqual(ada);
});

test('a changed configuration lets in whom it names, and nobody else', async () => {
  const dataDir = tempDir();
  const { url: issuedBy, sign } = await issuer();
  const token = (name: string) => ({ name, token: `${name}-token` });
  const app = startAggregator({ tokens: [token('ada'), token('bea')] }, { dataDir });
  const { url } = await serve(app);
  const status = async (bearer: string) => (await post(url, bearer)).status;
  const signed = await sign({});
  const all = () => Promise.all(['ada-token', 'bea-token', 'cid-token', signed].map(status));
  expect(await all()).toEqual([200, 200, 401, 401]);
  const oauth = { issuer: issuedBy, audience: 'https://atoll.example/mcp' };
  await app.reconfigure(configOf({ tokens: [token('bea'), token('cid')], oauth }, dataDir));
  expect(await all()).toEqual([401, 200, 200, 200]);
  const metadata = new URL('/.well-known/oauth-protected-resource', url);
  expect(await (await fetch(metadata)).json()).toMatchObject({ authorization_servers: [issuedBy] });
  const unreadable = configOf({ tokens: [{ name: 'dan', token: `\${DAN}` }] }, dataDir);
  await expect(app.reconfigure(unreadable)).rejects.toThrow(/DAN/);
  expect(await all()).toEqual([401, 200, 200, 200]);
  await app.reconfigure(configOf({}, dataDir));
  expect(await all()).toEqual([401, 401, 401, 401]);
  expect((await fetch(metadata)).status).toBe(404);
});

test('a changed setting that waits for a restart is named in the log', async () => {
  const dataDir = tempDir();
  const lines: string[] = [];
  const log = createLogger({ name: 'test', level: 'warn', stream: { write: (line) => void lines.push(line) } });
  const app = startAggregator({}, { dataDir, log });
  await app.reconfigure(configOf({ callsPerMinute: 5 }, dataDir));
  expect(lines).toEqual([]);
  const changed = { tokens: [{ name: 'ada', token: 'ada-token' }], auditFile: join(dataDir, 'audit.jsonl') };
  await app.reconfigure(configOf(changed, dataDir));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'changed settings need a restart', settings: ['auditFile', 'tokens', 'oauth'] },
  ]);
});

test('what a token may not call it does not reach beside /mcp either', async () => {
  const app = startAggregator({
    builtin: true,
    servers: { memorylake: {}, 'cortex-embeddings': { deny: ['model.info'] } },
    views: {
      reading: { deny: ['add_memory'] },
      vectors: { servers: ['cortex-embeddings'] },
      lake: { servers: ['memorylake'] },
    },
    tokens: [
      { name: 'root', token: 'root-token' },
      { name: 'ada', token: 'ada-token', views: ['reading'] },
      { name: 'bea', token: 'bea-token', views: ['vectors', 'lake'] },
      { name: 'cid', token: 'cid-token', views: ['vectors'] },
      { name: 'dan', token: 'dan-token', views: [] },
    ],
  });
  const { url } = await serve(app);
  const status = async (token: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { method: 'POST', body };
    const response = await fetch(new URL(path, url), { headers, ...sent });
    return [response.status, await response.text()] as const;
  };
  const upload = async (token: string) => (await status(token, '/memories?name=note.txt', 'A note'))[0];
  // An embedding of nothing is refused by the server itself, so it was reached.
  const embed = async (token: string) => (await status(token, '/v1/embeddings', '{}'))[0];
  expect(await Promise.all(['root-token', 'bea-token'].map(upload))).toEqual([201, 201]);
  expect(await Promise.all(['ada-token', 'cid-token', 'dan-token'].map(upload))).toEqual([403, 403, 403]);
  expect(await Promise.all(['root-token', 'ada-token', 'bea-token', 'cid-token'].map(embed))).toEqual([
    400, 400, 400, 400,
  ]);
  expect(await embed('dan-token')).toBe(403);
  const [denied, words] = await status('root-token', '/model-info');
  expect([denied, JSON.parse(words)]).toEqual([403, { error: 'This route needs access to the tool "model.info"' }]);
});

/** An issuer on this machine: its metadata and its keys. Everywhere else it may show a page, as many do. */
async function issuer(metadataPath?: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };
  const server = createServer((incoming, response) => {
    const isPage = metadataPath !== undefined && ![metadataPath, '/keys'].includes(incoming.url ?? '');
    if (isPage) return void response.end('<!doctype html>');
    const body = incoming.url === '/keys' ? { keys: [key] } : { issuer: url, jwks_uri: `${url}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = (claims: Record<string, unknown>, expires = '5m') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(String(claims.iss ?? url))
      .setSubject('ada')
      .setAudience(String(claims.aud ?? 'https://atoll.example/mcp'))
      .setExpirationTime(expires)
      .sign(privateKey);
  return { url, sign };
}

test('tokens of an OAuth issuer open the door when they are meant for us, in time and good for enough', async () => {
  const { url: issuedBy, sign } = await issuer();
  const app = startAggregator({
    mcpServers: { one: legacyServer(), two: legacyServer() },
    views: { small: { servers: ['one'] } },
    oauth: { issuer: issuedBy, audience: 'https://atoll.example/mcp', scopes: ['tools'], viewClaim: 'atoll_views' },
  });
  const { url } = await serve(app);
  const none = await post(url);
  expect(none.status).toBe(401);
  const metadataUrl = 'https://atoll.example/.well-known/oauth-protected-resource/mcp';
  expect(none.headers.get('www-authenticate')).toBe(
    `Bearer realm="atoll", resource_metadata="${metadataUrl}", scope="tools"`,
  );
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url));
  expect(await metadata.json()).toMatchObject({
    resource: 'https://atoll.example/mcp',
    authorization_servers: [issuedBy],
  });

  const good = { scope: 'tools more', atoll_views: ['small'] };
  const client = await connectHttp(url, { token: await sign(good) });
  after(() => client.close());
  expect((await client.listTools()).tools.some(({ name }) => name.startsWith('two_'))).toBe(false);
  expect((await post(url, await sign({ ...good, scope: 'other' }))).status).toBe(403);
  for (const claims of [
    { ...good, aud: 'https://else.example' },
    { ...good, iss: 'https://else.example' },
  ]) {
    expect((await post(url, await sign(claims))).status).toBe(401);
  }
  expect((await post(url, await sign(good, '-1m'))).status).toBe(401);
  const [head = '', body = ''] = (await sign(good)).split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
  expect((await post(url, unsigned)).status).toBe(401);
  expect((await post(url, `${head}.${body}.AAAA`)).status).toBe(401);
});

test('the keys of an issuer are found behind places that answer with something else', async () => {
  const { url: issuedBy, sign } = await issuer('/.well-known/openid-configuration');
  const { url } = await serve(startAggregator({ oauth: { issuer: issuedBy, audience: 'https://atoll.example/mcp' } }));
  expect((await post(url, await sign({}))).status).toBe(200);
});

test('a foreign Host or Origin is refused', async () => {
  const { url } = await serve(startAggregator({ mcpServers: {} }));
  const origin = await fetch(url, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(origin.status).toBe(403);
});

test('the audit log says who called what, how long it took and how it ended, and no arguments unless asked to', async () => {
  const folder = tempDir();
  const run = async (auditArguments: boolean) => {
    const auditFile = join(folder, `audit-${auditArguments}.jsonl`);
    const app = startAggregator({ mcpServers: { one: legacyServer() }, auditFile, auditArguments });
    const call = (name: string) =>
      app.handle(
        'tools/call',
        { name, arguments: { text: 'secret words' } },
        request({ principal: { id: 'ada' }, client: { id: 'c', name: 'cli' } }),
      );
    await call('one_echo').then(parsedResult);
    await call('one_fail');
    await call('one_fault').catch(() => {});
    await app.close();
    return readFileSync(auditFile, 'utf8');
  };
  const plain = await run(false);
  const lines = plain
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  expect(lines).toMatchObject([
    { caller: 'ada', client: 'cli', upstream: 'one', tool: 'echo', outcome: 'ok' },
    { tool: 'fail', outcome: 'error' },
    { tool: 'fault', outcome: 'fault', code: -31234 },
  ]);
  expect(lines.every(({ ms, time }) => typeof ms === 'number' && typeof time === 'string')).toBe(true);
  expect(plain).not.toContain('secret words');
  expect(await run(true)).toContain('secret words');
});

test('a client that calls too often is told to wait, and another is not', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() }, callsPerMinute: 3 });
  const call = (id: string) => app.handle('tools/call', { name: 'one_echo' }, request({ client: { id } }));
  for (let count = 0; count < 3; count++) await call('ada');
  await expect(call('ada')).rejects.toMatchObject({
    data: { atoll: { reason: 'limited', retryAfterMs: expect.any(Number) } },
  });
  await call('bea');
});

test('abandoned sessions are dropped when others come', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const { routes } = app;
  const server = await serveHttp(app, { routes, maxSessions: 50, graceMs: 100 });
  after(() => server.close());
  for (let batch = 0; batch < 20; batch++)
    await Promise.all(Array.from({ length: 10 }, async () => (await post(server.url)).text()));
  const metrics = await (await fetch(new URL('/metrics', server.url))).text();
  expect(Number(/mcp_sessions\S* (\d+)/.exec(metrics)?.[1])).toBeLessThanOrEqual(50);
  await eventually(() => app.status()[0]?.state === 'up');
});

test('tokens and views limited to collections reach no other one, by any route', async () => {
  const app = startAggregator({
    builtin: true,
    runTools: true,
    servers: { memorylake: { embed: false } },
    views: { bills: { collections: ['invoices', 'orders'] } },
    tokens: [
      { name: 'root', token: 'root-token' },
      { name: 'ada', token: 'ada-token', collections: ['invoices', 'private'], views: ['bills'] },
    ],
  });
  const { url } = await serve(app);
  const ada = { principal: { id: 'ada', collections: ['invoices', 'private'], views: ['bills'] } };
  const send = async (method: string, params: Json, caller: Partial<RequestContext> = {}): Promise<Json> =>
    parsedResult(await app.handle(method, params, request(caller)));
  const call = async (name: string, args: Json, caller: Partial<RequestContext> = {}) =>
    JSON.stringify(await send('tools/call', { name, arguments: args }, caller));
  const added = await send('tools/call', {
    name: 'add_memory',
    arguments: { name: 'secret.csv', text: 'city,n\nzanzibar,1', collection: 'private' },
  });
  const { id } = (added.structuredContent as { result: { id: string } }).result;
  const upload = (token: string, query: string) =>
    fetch(new URL(`/memories?name=bill.txt${query}`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: 'A bill of Aveiro',
    });
  expect((await upload('ada-token', '&collection=private')).status).toBe(403);
  expect(await (await upload('ada-token', '')).json()).toMatchObject({ memories: [{ collection: 'invoices' }] });

  // What the view and the token both allow is there.
  expect(await call('search_memory', { query: 'Aveiro' }, ada)).toContain('bill.txt');
  for (const caller of [ada, { path: 'bills' }]) {
    expect(await call('search_memory', { query: 'zanzibar' }, caller)).not.toContain('secret.csv');
    expect(await call('fetch_memory', { memory_ids: [id] }, caller)).not.toContain('secret.csv');
    expect(await call('call_tool', { name: 'read_memory', arguments: { memory_id: id } }, caller)).toContain(
      'does not exist',
    );
    const code = `return await tools.read_memory({ memory_id: ${JSON.stringify(id)} })`;
    expect(await call('run_tools', { code }, caller)).not.toContain('zanzibar');
    const { resources } = await send('resources/list', {}, caller);
    expect(JSON.stringify(resources)).toContain('bill.txt');
    expect(JSON.stringify(resources)).not.toContain('secret.csv');
    const uri = `memory://${id}`;
    for (const method of ['resources/read', 'resources/subscribe'])
      await expect(send(method, { uri }, caller)).rejects.toThrow(/not found|no resource|unknown/i);
  }
  expect(JSON.stringify((await send('resources/list', {})).resources)).toContain('secret.csv');
  expect(await call('search_memory', { query: 'zanzibar' })).toContain('secret.csv');
});
