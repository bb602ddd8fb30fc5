import type { Json, RequestContext } from '@atoll-mcp/core';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { McpConnection } from '../src/stdio/mcp-connection.ts';
import { type TinyApp, tinyApp } from './fixtures/tiny-app.ts';

type Mode = 'legacy' | { pin: '2026-07-28' };
const ERAS: [string, Mode][] = [
  ['legacy', 'legacy'],
  ['modern', { pin: '2026-07-28' }],
];

async function connect(app: TinyApp, mode: Mode) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const connection = new McpConnection(app, { send: (text) => far.send(JSON.parse(text)) });
  far.onmessage = (message) => connection.receive(message);
  await far.start();
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(near);
  onTestFinished(async () => {
    connection.close();
    await client.close();
  });
  return { client, connection };
}

/** What goes over the wire, without a client in between. */
function raw(app: TinyApp = tinyApp()) {
  const sent: { id?: unknown; method?: string; result?: { [key: string]: unknown }; error?: { code: number } }[] = [];
  const connection = new McpConnection(app, { send: (text) => void sent.push(JSON.parse(text)) });
  onTestFinished(() => connection.close());
  return { app, connection, sent };
}

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

test.each(ERAS)('a %s client calls a tool and hears who answers', async (_era, mode) => {
  const { client } = await connect(tinyApp(), mode);
  const answer = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
  expect(answer.content).toEqual([{ type: 'text', text: 'hi' }]);
  expect(client.getServerVersion()).toMatchObject({ name: 'tiny' });
  expect(client.getInstructions()).toBe('Use echo.');
});

test.each(ERAS)('a question of a tool reaches a %s client and its answer comes back', async (_era, mode) => {
  const { client } = await connect(tinyApp(), mode);
  const answer = await client.callTool({ name: 'ask', arguments: {} });
  expect(answer.content).toEqual([{ type: 'text', text: 'Hello Ada kept' }]);
});

test.each(ERAS)('a %s client that cancels aborts the running tool', async (_era, mode) => {
  const app = tinyApp();
  const { client } = await connect(app, mode);
  const abort = new AbortController();
  const call = client.callTool({ name: 'wait', arguments: {} }, { signal: abort.signal });
  await app.waiting(1);
  abort.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => app.aborted.length, { timeout: 30_000 }).toBe(1);
});

test('an answer that is a list is wrapped for older clients and bare for new ones', async () => {
  const legacy = await connect(tinyApp(), 'legacy');
  const tools = await legacy.client.listTools();
  expect(tools.tools.find(({ name }) => name === 'list')?.outputSchema).toMatchObject({
    type: 'object',
    properties: { result: { type: 'array' } },
  });
  const wrapped = await legacy.client.callTool({ name: 'list', arguments: {} });
  expect(wrapped.structuredContent).toEqual({ result: [1, 2] });
  expect(wrapped.content).toEqual([{ type: 'text', text: '[1,2]' }]);

  const modern = await connect(tinyApp(), { pin: '2026-07-28' });
  const bare = await modern.client.callTool({ name: 'list', arguments: {} });
  expect(bare.structuredContent).toEqual([1, 2]);
});

test('progress carries the token of its request, comes before the answer, and comes to nobody who gave none', async () => {
  const { connection, sent } = raw();
  connection.receive(request(1, 'tools/call', { name: 'count', _meta: { progressToken: 'mine' } }));
  connection.receive(request(2, 'tools/call', { name: 'count', _meta: { ...MODERN, progressToken: 7 } }));
  connection.receive(request(3, 'tools/call', { name: 'count' }));
  await connection.drained();
  const tokens = sent.map((message) => (message as { params?: { progressToken?: unknown } }).params?.progressToken);
  expect(tokens.filter((token) => token === 'mine')).toHaveLength(3);
  expect(tokens.filter((token) => token === 7)).toHaveLength(3);
  expect(tokens.lastIndexOf('mine')).toBeLessThan(sent.findIndex(({ id }) => id === 1));
  expect(tokens.lastIndexOf(7)).toBeLessThan(sent.findIndex(({ id }) => id === 2));
  expect(sent.filter(({ method }) => method === 'notifications/progress')).toHaveLength(6);
});

test('a broken line is answered by the parse error and the next line works', async () => {
  const { connection, sent } = raw();
  connection.receiveText('{"jsonrpc":');
  connection.receiveText('{"jsonrpc":"2.0","id":5,"method":"ping"}');
  await connection.drained();
  expect(sent[0]).toMatchObject({ id: null, error: { code: -32700 } });
  expect(sent[1]).toMatchObject({ id: 5, result: {} });
});

test('what is no message is refused under its own id', async () => {
  const { connection, sent } = raw();
  connection.receive({ id: 9, method: 'ping' });
  connection.receive({ jsonrpc: '2.0', id: 10, method: 'ping', params: [] });
  connection.receive('ping');
  await connection.drained();
  expect(sent.map(({ id, error }) => [id, error?.code])).toEqual([
    [9, -32600],
    [10, -32600],
    [null, -32600],
  ]);
});

test('a crash is answered without its message', async () => {
  const { connection, sent } = raw();
  connection.receive(request(1, 'tools/call', { name: 'crash' }));
  await connection.drained();
  expect(sent[0]).toMatchObject({ error: { code: -32603 } });
  expect(JSON.stringify(sent)).not.toContain('secret detail');
});

test('modern requests say their revision, and one that nobody speaks is refused with the list', async () => {
  const { connection, sent } = raw();
  const future = { ...MODERN, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  connection.receive(request(1, 'server/discover', { _meta: MODERN }));
  connection.receive(request(2, 'server/discover', { _meta: future }));
  connection.receive(request(3, 'tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }));
  connection.receive(request(4, 'ping', { _meta: MODERN }));
  await connection.drained();
  const byId = new Map(sent.map((message) => [message.id, message]));
  expect(byId.get(1)?.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'], ttlMs: 0 });
  expect(byId.get(2)?.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  expect(byId.get(3)?.error).toMatchObject({ code: -32602 });
  expect(byId.get(4)?.error).toMatchObject({ code: -32601 });
});

test('batches are answered as one where the revision has them, and refused elsewhere', async () => {
  const { connection, sent } = raw();
  const batch = [request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }, request(2, 'ping')];
  connection.receive(batch);
  connection.receive(request(3, 'initialize', { protocolVersion: '2025-03-26', capabilities: {} }));
  connection.receive(batch);
  await connection.drained();
  expect(sent[0]).toMatchObject({ error: { code: -32600 } });
  expect(sent.at(-1)).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('changes reach a legacy client, of resources only those it subscribed to', async () => {
  const { app, connection, sent } = raw();
  connection.receive(request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }));
  connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  connection.receive(request(2, 'resources/subscribe', { uri: 'a:1' }));
  await connection.drained();
  app.change({ kind: 'tools' });
  app.change({ kind: 'resource', uri: 'a:2' });
  app.change({ kind: 'resource', uri: 'a:1' });
  expect(sent.slice(2)).toMatchObject([
    { method: 'notifications/tools/list_changed' },
    { method: 'notifications/resources/updated', params: { uri: 'a:1' } },
  ]);
});

test('a modern subscription is acknowledged, hears what it asked for, and ends when it is cancelled', async () => {
  const { app, connection, sent } = raw();
  const notifications = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:1'] };
  connection.receive(request(8, 'subscriptions/listen', { notifications, _meta: MODERN }));
  await connection.drained();
  expect(sent[0]).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['a:1'] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 8 },
    },
  });
  app.change({ kind: 'tools' });
  app.change({ kind: 'prompts' });
  app.change({ kind: 'resource', uri: 'a:1' });
  expect(sent.map(({ method }) => method).slice(1)).toEqual([
    'notifications/tools/list_changed',
    'notifications/resources/updated',
  ]);
  connection.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } });
  app.change({ kind: 'tools' });
  expect(sent).toHaveLength(3);
});

test('closing ends what is under way and says so to those who listen', async () => {
  const { app, connection, sent } = raw();
  connection.receive(request(1, 'subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: MODERN }));
  await connection.drained();
  connection.receive(request(2, 'tools/call', { name: 'wait' }));
  connection.receive(request(3, 'tools/call', { name: 'wait', _meta: MODERN }));
  await app.waiting(2);
  connection.close();
  expect(app.aborted).toHaveLength(2);
  expect(sent.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } });
});

test('an app hears of a subscription once, and of its end when the client just leaves', async () => {
  const app = tinyApp();
  const heard: string[] = [];
  const { handle } = app;
  const { connection } = raw(
    Object.assign(app, {
      handle: (method: string, params: Json, context: RequestContext) => {
        if (method.startsWith('resources/')) heard.push(`${method} ${String(params.uri)} ${context.signal.aborted}`);
        return handle(method, params, context);
      },
    }),
  );
  connection.receive(request(1, 'resources/subscribe', { uri: 'a:1' }));
  await connection.drained();
  connection.receive(request(2, 'resources/subscribe', { uri: 'a:1' }));
  const notifications = { resourceSubscriptions: ['a:2'] };
  connection.receive(request(3, 'subscriptions/listen', { notifications, _meta: MODERN }));
  await connection.drained();
  connection.close();
  expect(heard).toEqual([
    'resources/subscribe a:1 false',
    'resources/subscribe a:2 false',
    'resources/unsubscribe a:2 false',
    'resources/unsubscribe a:1 false',
  ]);
});

test('a subscription to nothing that is ever told ends at once', async () => {
  const { connection, sent } = raw();
  connection.receive(
    request(4, 'subscriptions/listen', { notifications: { promptsListChanged: true }, _meta: MODERN }),
  );
  await connection.drained();
  expect(sent).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 4, result: { resultType: 'complete' } },
  ]);
});
