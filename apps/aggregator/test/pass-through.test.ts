import { join } from 'node:path';
import { type Json, ProtocolFault, parsedResult, RawResult, type RequestContext } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { eventually, journalOf, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ERAS = ['legacy', 'modern'] as const;

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

const send = async (app: Aggregator, method: string, params: Json = {}, more: Partial<RequestContext> = {}) =>
  parsedResult(await app.handle(method, params, request(more)));

test.each(ERAS)('a %s client sees and calls the tools of several servers', async (era) => {
  const mcpServers = { one: legacyServer(), two: legacyServer({ FIXTURE_NAME: 'second' }, { prefix: '' }) };
  const client = await connectInMemory(startAggregator({ mcpServers }), { era });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['atoll_status', 'one_echo', 'echo', 'one_with_dots_and-more']));
  expect(names.every((name) => /^[a-zA-Z0-9_-]{1,60}$/.test(name))).toBe(true);
  const answer = await client.callTool({ name: 'one_echo', arguments: { text: 'hello' } });
  expect(answer.content).toEqual([{ type: 'text', text: 'hello' }]);
  expect(answer.structuredContent).toEqual({ text: 'hello' });
});

test('definitions keep everything but the name', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const { tools } = (await send(app, 'tools/list')) as { tools: Json[] };
  expect(tools.find(({ name }) => name === 'one_echo')).toEqual({
    name: 'one_echo',
    title: 'Echo',
    description: 'The tool echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    icons: [{ src: 'data:image/png;base64,AA==' }],
    _meta: { 'example.org/own': [1, 2.5] },
  });
});

test.each([
  'one_with_dots_and-more',
  'one_with.dots/and-more',
  'with.dots/and-more',
  'with_dots_and_more',
  'one.with.dots.and.more',
])('the spelling %s finds the same tool', async (name) => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  expect(textOf(await send(app, 'tools/call', { name }))).toBe('with.dots/and-more');
});

test('allow, deny, rename and prefix shape what is listed and what can be called', async () => {
  const app = startAggregator({
    mcpServers: {
      one: legacyServer({}, { allow: ['echo', 'whoami', 'with*'], deny: ['whoami'], rename: { echo: 'say' } }),
      two: legacyServer({}, { prefix: 'b-', allow: ['echo'] }),
    },
  });
  const { tools } = (await send(app, 'tools/list')) as { tools: Json[] };
  expect(tools.map(({ name }) => name)).toEqual(['atoll_status', 'say', 'one_with_dots_and-more', 'b-echo']);
  expect(textOf(await send(app, 'tools/call', { name: 'say', arguments: { text: 'x' } }))).toBe('x');
  await expect(send(app, 'tools/call', { name: 'one_whoami' })).rejects.toThrow(/Unknown tool/);
});

test('two servers with the same names both stay callable', async () => {
  const mcpServers = {
    one: legacyServer({ FIXTURE_NAME: 'a' }, { prefix: '' }),
    two: legacyServer({ FIXTURE_NAME: 'b' }, { prefix: '' }),
  };
  const app = startAggregator({ mcpServers });
  const { tools } = (await send(app, 'tools/list')) as { tools: Json[] };
  const names = tools.map(({ name }) => String(name)).filter((name) => name.includes('whoami'));
  expect(names).toHaveLength(2);
  const answers = await Promise.all(names.map((name) => send(app, 'tools/call', { name })));
  expect(answers.map((answer) => JSON.parse(textOf(answer)).name)).toEqual(['a', 'b']);
});

test('the text of an answer passes unchanged, numbers that JavaScript cannot hold included', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const result = await app.handle('tools/call', { name: 'one_raw_number' }, request());
  expect(result).toBeInstanceOf(RawResult);
  expect((result as RawResult).text).toBe('{"content":[],"structuredContent":{"big":12345678901234567890,"one":1.0}}');
});

test.each(ERAS)('errors keep their code, message and data for a %s client', async (era) => {
  const client = await connectInMemory(startAggregator({ mcpServers: { one: legacyServer() } }), { era });
  const error = await client.callTool({ name: 'one_fault', arguments: {} }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: -31234, data: { detail: [1, { two: 2 }] } });
  expect(String((error as Error).message)).toContain('a fault of its own');
  expect(await client.callTool({ name: 'one_fail', arguments: {} })).toMatchObject({ isError: true });
});

test('_meta of the caller reaches the server and _meta of the answer comes back', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const meta = {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'example.org/x': { deep: [1] },
  };
  const answer = await send(app, 'tools/call', { name: 'one_echo' }, { meta: { ...meta, progressToken: 'mine' } });
  expect((answer._meta as Json).seen).toEqual({ ...meta, progressToken: expect.any(Number) });
});

test('every page of every list is read, and handed out under cursors of our own', async () => {
  const app = startAggregator({
    mcpServers: { one: legacyServer({ FIXTURE_PAGES: '3' }), two: legacyServer({ FIXTURE_PAGES: '1' }) },
    pageSize: 5,
  });
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const page = await send(app, 'tools/list', cursor === undefined ? {} : { cursor });
    seen.push(...(page.tools as Json[]).map(({ name }) => String(name)));
    expect((page.tools as Json[]).length).toBeLessThanOrEqual(5);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(1 + 17 + 17);
  await expect(send(app, 'tools/list', { cursor: 'made up' })).rejects.toMatchObject({ code: -32602 });
});

test.each(ERAS)('resources, templates, prompts and completions pass for a %s client', async (era) => {
  const mcpServers = { one: legacyServer({ FIXTURE_NAME: 'alpha' }), two: legacyServer({ FIXTURE_NAME: 'beta' }) };
  const client = await connectInMemory(startAggregator({ mcpServers }), { era });
  const uris = (await client.listResources()).resources.map(({ uri }) => uri);
  expect(uris).toEqual(['alpha://one', 'alpha://two', 'beta://one', 'beta://two']);
  const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  expect(templates).toEqual(['alpha://item/{id}', 'beta://item/{id}']);
  for (const uri of ['beta://one', 'beta://item/9', 'beta://unlisted/thing']) {
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: `contents of ${uri}` }]);
  }
  await expect(client.readResource({ uri: 'beta://missing' })).rejects.toThrow('Resource not found');
  await expect(client.readResource({ uri: 'nobody://missing' })).rejects.toThrow();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['one_greet', 'two_greet']);
  const prompt = await client.getPrompt({ name: 'two_greet', arguments: { who: 'Ada' } });
  expect(prompt.messages[0]?.content).toMatchObject({ text: 'greet Ada' });
  const ofPrompt = await client.complete({
    ref: { type: 'ref/prompt', name: 'two_greet' },
    argument: { name: 'who', value: 'A' },
  });
  expect(ofPrompt.completion.values).toEqual(['greet:A']);
  const ofTemplate = await client.complete({
    ref: { type: 'ref/resource', uri: 'beta://item/{id}' },
    argument: { name: 'id', value: '1' },
  });
  expect(ofTemplate.completion.values).toEqual(['beta://item/{id}:1']);
});

test('methods that we do not know go to the server that knows them', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  await eventually(() => app.status()[0]?.state === 'up');
  expect(await send(app, 'example/custom', { any: [1] })).toEqual({ custom: { any: [1] } });
  await expect(send(app, 'example/unknown')).rejects.toMatchObject({ code: -32601 });
});

test('a change of a list is relayed after the list has been renewed', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const client = await connectInMemory(app);
  const seen: string[][] = [];
  client.setNotificationHandler('notifications/tools/list_changed', async () => {
    seen.push((await client.listTools()).tools.map(({ name }) => name));
  });
  await client.listTools();
  await client.callTool({ name: 'one_add_tool', arguments: {} });
  await eventually(() => seen.at(-1)?.includes('one_extra'));
});

test('an update of a resource reaches those who subscribed, and only them', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({
    mcpServers: { one: legacyServer({ FIXTURE_NAME: 'alpha', FIXTURE_JOURNAL: journal }) },
  });
  const [ada, bea] = await Promise.all([connectInMemory(app), connectInMemory(app)]);
  const heard = { ada: [] as string[], bea: [] as string[] };
  ada.setNotificationHandler('notifications/resources/updated', async ({ params }) => void heard.ada.push(params.uri));
  bea.setNotificationHandler('notifications/resources/updated', async ({ params }) => void heard.bea.push(params.uri));
  await Promise.all([ada.listTools(), bea.listTools()]);
  await ada.subscribeResource({ uri: 'alpha://one' });
  await bea.callTool({ name: 'one_touch', arguments: { text: 'alpha://one' } });
  await eventually(() => heard.ada.length > 0);
  expect(heard).toEqual({ ada: ['alpha://one'], bea: [] });
  await ada.unsubscribeResource({ uri: 'alpha://one' });
  await eventually(() => journalOf(journal).some(({ method }) => method === 'resources/unsubscribe'));
});

test('subscriptions are renewed when a server was started again', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({
    mcpServers: { one: legacyServer({ FIXTURE_NAME: 'alpha', FIXTURE_JOURNAL: journal }) },
  });
  const client = await connectInMemory(app);
  await client.listTools();
  await client.subscribeResource({ uri: 'alpha://one' });
  await client.callTool({ name: 'one_crash', arguments: {} }).catch(() => {});
  await eventually(() => journalOf(journal).filter(({ method }) => method === 'resources/subscribe').length === 2);
});

test('log messages reach the client whose call they belong to, from its own level on', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const [ada, bea] = await Promise.all([connectInMemory(app), connectInMemory(app)]);
  const heard = { ada: [] as unknown[], bea: [] as unknown[] };
  ada.setNotificationHandler('notifications/message', async ({ params }) => void heard.ada.push(params.data));
  bea.setNotificationHandler('notifications/message', async ({ params }) => void heard.bea.push(params.data));
  await Promise.all([ada.listTools(), bea.listTools()]);
  await ada.setLoggingLevel('warning');
  await ada.callTool({ name: 'one_log', arguments: { level: 'info', text: 'too quiet' } });
  await ada.callTool({ name: 'one_log', arguments: { level: 'error', text: 'loud' } });
  await bea.callTool({ name: 'one_log', arguments: { level: 'info', text: 'for Bea' } });
  await eventually(() => heard.bea.length > 0);
  expect(heard).toEqual({ ada: ['loud'], bea: ['for Bea'] });
});

test("a client's news of its folders reaches the servers", async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  const { connectAskable } = await import('./clients.ts');
  const { client } = await connectAskable(app, 'legacy');
  await client.listTools();
  await client.sendRootsListChanged();
  await eventually(() => journalOf(journal).some(({ method }) => method === 'notifications/roots/list_changed'));
});

test('instructions name each server', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_NAME: 'alpha' }) } });
  await eventually(() => app.status()[0]?.state === 'up');
  expect(app.instructions).toContain('## one (its tools begin with one_)\nHow to use alpha');
});

test('instructions say how tools that are not listed are found and called', () => {
  const how = 'search_tools finds them, describe_tool shows their arguments, and run_tools';
  expect(startAggregator({ mode: 'code' }).instructions).toContain(how);
  expect(startAggregator({ views: { few: { mode: 'search' } } }).instructions).toContain(how);
  expect(startAggregator({}).instructions).not.toContain('not listed');
});

const variable = (name: string) => `\${${name}}`;

test('variables are filled in for the server, and a missing one keeps only that server down', async () => {
  const mcpServers = {
    one: legacyServer({ FIXTURE_SECRET: variable('OUR_SECRET') }),
    two: legacyServer({ FIXTURE_SECRET: variable('NOT_SET') }),
    three: legacyServer({ FIXTURE_SECRET: variable('NOT_SET:-plain') }),
  };
  const app = startAggregator({ mcpServers }, { env: { OUR_SECRET: 's3cret', ATOLL_AUTH_TOKEN: 'not for children' } });
  expect(JSON.parse(textOf(await send(app, 'tools/call', { name: 'one_whoami' }))).secret).toBe('s3cret');
  expect(JSON.parse(textOf(await send(app, 'tools/call', { name: 'three_whoami' }))).secret).toBe('plain');
  await expect(send(app, 'tools/call', { name: 'two_whoami' })).rejects.toThrow(/the variable NOT_SET is not set/);
  await expect(send(app, 'tools/call', { name: 'two_whoami' })).rejects.toBeInstanceOf(ProtocolFault);
});
