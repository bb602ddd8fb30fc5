import type { ServerResponse } from 'node:http';
import { type Json, type McpApp, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { type HttpServer, serveHttp } from '@atoll-mcp/server';
import { connectInMemory, everythingApp } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { after, eventually, startAggregator } from './harness.ts';
import { answer, initialized, oneTool, serveRaw } from './raw-http.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ERAS = ['legacy', 'modern'] as const;

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

async function call(app: Aggregator, name: string, args: Json = {}, more: Partial<RequestContext> = {}): Promise<Json> {
  return parsedResult(await app.handle('tools/call', { name, arguments: args }, request(more)));
}

async function serve(app: McpApp = everythingApp(), port = 0): Promise<HttpServer> {
  const server = await serveHttp(app, { port, graceMs: 100 });
  after(() => server.close());
  return server;
}

test.each(ERAS)('a %s client calls a server over HTTP, with progress and logs', async (era) => {
  const { url } = await serve();
  const client = await connectInMemory(startAggregator({ mcpServers: { web: { url } } }), { era });
  const progress: number[] = [];
  const done = await client.callTool(
    { name: 'web_test_tool_with_progress', arguments: {} },
    { onprogress: (report) => void progress.push(report.progress) },
  );
  expect(textOf(done)).toBe('Done');
  expect(progress.slice(0, 2)).toEqual([0, 50]);
  const binary = await client.readResource({ uri: 'test://static-binary' });
  expect(binary.contents[0]).toMatchObject({ mimeType: 'image/png' });
});

test('an argument that also travels as a header reaches a modern server', async () => {
  const { url } = await serve();
  const client = await connectInMemory(startAggregator({ mcpServers: { web: { url } } }), { era: 'modern' });
  const done = await client.callTool({ name: 'web_test_x_mcp_header', arguments: { region: 'Zürich ' } });
  expect(textOf(done)).toBe('Region: Zürich ');
});

test('changes of lists and resources of a modern server are relayed', async () => {
  const { url } = await serve();
  const app = startAggregator({ mcpServers: { web: { url } } });
  const client = await connectInMemory(app);
  let changes = 0;
  client.setNotificationHandler('notifications/prompts/list_changed', async () => void changes++);
  await client.listTools();
  await eventually(async () => {
    await client.callTool({ name: 'web_test_trigger_prompt_change', arguments: {} });
    return app.status()[0]?.state === 'up';
  });
});

test('a session that the server forgot is opened again and the call goes through', async () => {
  const sessions = new Set<string>();
  let served = 0;
  const url = await serveRaw((body, incoming, response) => {
    const session = String(incoming.headers['mcp-session-id']);
    if (body.method === 'initialize') {
      const id = `session-${sessions.size + 1}`;
      sessions.add(id);
      return answer(response, { id: body.id, result: initialized() }, 200, { 'mcp-session-id': id });
    }
    if (body.method === 'server/discover')
      return answer(response, { id: body.id, error: { code: -32000, message: 'no' } }, 400);
    if (!sessions.has(session)) return void response.writeHead(404).end();
    if (incoming.method === 'GET') return void response.writeHead(405).end();
    if (body.id === undefined) return void response.writeHead(202).end();
    if (body.method === 'tools/list') return answer(response, { id: body.id, result: oneTool });
    served++;
    return answer(response, { id: body.id, result: { content: [{ type: 'text', text: session }] } });
  });
  const app = startAggregator({ mcpServers: { web: { url } } });
  expect(textOf(await call(app, 'web_work'))).toBe('session-1');
  sessions.clear();
  sessions.add('taken');
  expect(textOf(await call(app, 'web_work'))).toBe('session-2');
  expect(served).toBe(2);
});

test.each(ERAS)('a server that went away and came back is found again by a %s client', async (era) => {
  const first = await serve();
  const app = startAggregator({ mcpServers: { web: { url: first.url } } });
  const say = () => call(app, 'web_test_simple_text', {}, { era });
  expect(textOf(await say())).toContain('simple text');
  await first.close();
  await eventually(() =>
    say().then(
      () => '',
      (error: Error) => error.message.includes('no server is listening at its address'),
    ),
  );
  await eventually(() => app.status()[0]?.state === 'down');
  await serve(everythingApp(), first.port);
  await eventually(() => say().then(textOf, () => ''));
});

test('HTTP 429 fails that call only', async () => {
  let busy = true;
  const url = await serveRaw((body, _incoming, response) => {
    if (body.method === 'server/discover')
      return answer(response, { id: body.id, error: { code: -32601, message: 'no' } }, 404);
    if (body.method === 'initialize') return answer(response, { id: body.id, result: initialized() });
    if (body.id === undefined) return void response.writeHead(202).end();
    if (body.method === 'tools/list') return answer(response, { id: body.id, result: oneTool });
    if (busy) return void response.writeHead(429, { 'retry-after': '2' }).end('slow down');
    return answer(response, { id: body.id, result: { content: [{ type: 'text', text: 'done' }] } });
  });
  const app = startAggregator({ mcpServers: { web: { url } } });
  const refused = await call(app, 'web_work').catch((error: unknown) => error);
  expect(refused).toMatchObject({ data: { atoll: { reason: 'busy', status: 429, retryAfterMs: 2000 } } });
  expect(app.status()[0]?.state).toBe('up');
  busy = false;
  expect(textOf(await call(app, 'web_work'))).toBe('done');
});

test("errors over HTTP keep the server's code, message and data, whatever the status", async () => {
  const url = await serveRaw((body, _incoming, response) => {
    if (body.method === 'server/discover') return void response.writeHead(405).end();
    if (body.method === 'initialize') return answer(response, { id: body.id, result: initialized() });
    if (body.id === undefined) return void response.writeHead(202).end();
    if (body.method === 'tools/list') return answer(response, { id: body.id, result: oneTool });
    return answer(
      response,
      { id: null, error: { code: -31999, message: 'not like this', data: { why: 'because' } } },
      400,
    );
  });
  const app = startAggregator({ mcpServers: { web: { url } } });
  await expect(call(app, 'web_work')).rejects.toMatchObject({
    code: -31999,
    message: 'not like this',
    data: { why: 'because' },
  });
});

test('a stream that ends before the answer is picked up where it ended', async () => {
  const url = await serveRaw((body, incoming, response) => {
    if (body.method === 'server/discover') return void response.writeHead(400).end();
    if (body.method === 'initialize')
      return answer(response, { id: body.id, result: initialized() }, 200, { 'mcp-session-id': 's' });
    if (incoming.method === 'GET' && incoming.headers['last-event-id'] === 'e1') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(
        `id: e2\ndata: {"jsonrpc":"2.0","id":${callId},"result":{"content":[{"type":"text","text":"late"}]}}\n\n`,
      );
    }
    if (incoming.method === 'GET') return void response.writeHead(405).end();
    if (body.id === undefined) return void response.writeHead(202).end();
    if (body.method === 'tools/list') return answer(response, { id: body.id, result: oneTool });
    callId = body.id;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('retry: 20\nid: e1\ndata:\n\n');
  });
  let callId: unknown;
  const app = startAggregator({ mcpServers: { web: { url } } });
  expect(textOf(await call(app, 'web_work'))).toBe('late');
});

test('a cancelled call hangs up on a modern server', async () => {
  let received = false;
  let hungUp = false;
  const url = await serveRaw((body, _incoming, response) => {
    const meta = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    if (body.method === 'server/discover') {
      return answer(response, {
        id: body.id,
        result: {
          ...meta,
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          serverInfo: { name: 'm', version: '1' },
        },
      });
    }
    if (body.method === 'tools/list') return answer(response, { id: body.id, result: { ...meta, ...oneTool } });
    received = true;
    response.on('close', () => {
      hungUp = true;
    });
  });
  const app = startAggregator({ mcpServers: { web: { url } } });
  await eventually(() => app.status()[0]?.state === 'up');
  const stop = new AbortController();
  const lost = call(app, 'web_work', {}, { signal: stop.signal });
  lost.catch(() => {});
  await eventually(() => received);
  stop.abort();
  await expect(lost).rejects.toThrow(/cancelled/);
  await eventually(() => hungUp);
});

test('headers are sent, with variables filled in', async () => {
  const seen: unknown[] = [];
  const url = await serveRaw((body, incoming, response) => {
    seen.push(incoming.headers['x-key']);
    answer(response, { id: body.id ?? 0, error: { code: -32601, message: 'no' } });
  });
  startAggregator({ mcpServers: { web: { url, headers: { 'X-Key': `\${KEY}` } } } }, { env: { KEY: 'k' } });
  await eventually(() => seen.length > 0);
  expect(seen[0]).toBe('k');
});

test('a subscription that a server refuses leaves nothing behind', async () => {
  const asked: string[] = [];
  const url = await serveRaw(({ id, method }, incoming, response) => {
    if (incoming.method === 'GET') return void response.writeHead(405).end();
    if (method === 'resources/subscribe') asked.push('subscribe');
    if (method === 'initialize')
      answer(response, { id, result: { ...initialized(), capabilities: { resources: { subscribe: true } } } });
    else if (method === 'resources/list')
      answer(response, { id, result: { resources: [{ uri: 'raw://a', name: 'a' }] } });
    else if (method === 'resources/templates/list') answer(response, { id, result: { resourceTemplates: [] } });
    else answer(response, { id, error: { code: -32000, message: 'No' } });
  });
  const app = startAggregator({ mcpServers: { raw: { url, era: 'legacy', idleTimeoutMs: 200 } } });
  const client = await connectInMemory(app, { era: 'legacy' });
  await eventually(async () => (await client.listResources()).resources.some(({ uri }) => uri === 'raw://a'));
  await expect(client.subscribeResource({ uri: 'raw://a' })).rejects.toThrow('No');
  await expect(client.subscribeResource({ uri: 'raw://a' })).rejects.toThrow('No');
  expect(asked).toEqual(['subscribe', 'subscribe']);
  await eventually(() => app.status()[0]?.state === 'waiting', 5_000);
});

test('a server with a subscription is not stopped when it was idle before', async () => {
  const serveOne = () =>
    serveRaw(({ id, method }, incoming, response) => {
      if (incoming.method === 'GET') return void response.writeHead(405).end();
      if (method === 'initialize')
        answer(response, { id, result: { ...initialized(), capabilities: { resources: { subscribe: true } } } });
      else if (method === 'resources/list')
        answer(response, { id, result: { resources: [{ uri: `raw://${incoming.headers.host}`, name: 'a' }] } });
      else if (method === 'resources/templates/list') answer(response, { id, result: { resourceTemplates: [] } });
      else answer(response, { id, result: { contents: [] } });
    });
  const [watched, idle] = [await serveOne(), await serveOne()];
  const uris = [watched, idle].map((url) => `raw://${new URL(url).host}`);
  const config = (url: string) => ({ url, era: 'legacy', idleTimeoutMs: 1_000 });
  const app = startAggregator({ mcpServers: { watched: config(watched), idle: config(idle) } });
  const client = await connectInMemory(app, { era: 'legacy' });
  await eventually(async () => (await client.listResources()).resources.length === 2);
  for (const uri of uris) await client.readResource({ uri });
  await client.subscribeResource({ uri: String(uris[0]) });
  const stateOf = (key: string) => app.status().find((upstream) => upstream.key === key)?.state;
  // Its timer was set after that of the other.
  await eventually(() => stateOf('idle') === 'waiting', 60_000);
  expect(stateOf('watched')).toBe('up');
  await client.unsubscribeResource({ uri: String(uris[0]) });
  await eventually(() => stateOf('watched') === 'waiting', 60_000);
});

test.each(['unasked', 'in answer to a call'])('a server that floods a stream %s is read slowly', async (when) => {
  const note = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'debug', data: 'x'.repeat(50_000) },
  };
  const event = `data: ${JSON.stringify(note)}\n\n`;
  let sentBytes = 0;
  const flood = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => {
      do sentBytes += event.length;
      while (response.write(event));
    };
    response.on('drain', write);
    write();
  };
  const isUnasked = when === 'unasked';
  const url = await serveRaw(({ id, method }, incoming, response) => {
    if (incoming.method === 'GET') return isUnasked ? flood(response) : void response.writeHead(405).end();
    if (method === 'initialize') answer(response, { id, result: initialized() }, 200, { 'mcp-session-id': 's' });
    else if (method === 'tools/list') answer(response, { id, result: oneTool });
    else if (method === 'tools/call') flood(response);
    else response.writeHead(202).end();
  });
  const app = startAggregator({ mcpServers: { raw: { url, era: 'legacy' } } });
  await eventually(() => app.status()[0]?.state === 'up');
  if (!isUnasked) void call(app, 'raw_work').catch(() => {});
  await eventually(() => sentBytes > 4_000_000);
  const begun = Date.now();
  const before = sentBytes;
  await eventually(() => Date.now() - begun > 2_000);
  // Two megabytes a second, and what the system keeps on its way.
  expect(sentBytes - before).toBeLessThan(25_000_000);
});
