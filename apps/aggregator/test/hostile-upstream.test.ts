import { join } from 'node:path';
import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { expect, test, vi } from 'vitest';
import { type Aggregator, createAtollServer } from '../src/index.ts';
import { textOf } from './clients.ts';
import { after, configOf, eventually, legacyServer, startAggregator } from './harness.ts';
import { HOSTILE_ANSWERS } from './hostile-answers.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const HOSTILE = join(import.meta.dirname, 'fixtures/hostile-server.mjs');
const ERAS = ['legacy', 'modern'] as const;
/** Names that every object inherits. */
const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

function hostile(lists: object = {}, more: object = {}) {
  return { command: process.execPath, args: [HOSTILE], env: { HOSTILE_LISTS: JSON.stringify(lists) }, ...more };
}

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

async function send(app: Aggregator, method: string, params: Json, more: Partial<RequestContext> = {}): Promise<Json> {
  return parsedResult(await app.handle(method, params, request(more)));
}

const call = (app: Aggregator, name: string, args: Json = {}, more: Partial<RequestContext> = {}) =>
  send(app, 'tools/call', { name, arguments: args }, more);

async function started(lists: object = {}): Promise<Aggregator> {
  const app = startAggregator({ mcpServers: { bad: hostile(lists), good: legacyServer() } });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  return app;
}

/** The other server still answers, and so does the hostile one once it is back. */
async function expectAlive(app: Aggregator): Promise<void> {
  expect(textOf(await call(app, 'good_echo', { text: 'fine' }))).toBe('fine');
  await eventually(() => call(app, 'bad_echo').then(textOf, () => ''));
}

test.each(Object.entries(HOSTILE_ANSWERS))('%s as an answer is settled and harms nothing else', async (_, raw) => {
  const app = await started();
  for (const era of ERAS) {
    await Promise.race([
      call(app, 'bad_raw', { raw }, { era }).then(
        (answer) => expect(answer).toBeTypeOf('object'),
        (error: Error) => expect(error.message).toBeTypeOf('string'),
      ),
    ]);
  }
  await expectAlive(app);
});

test.each([
  ['result', '[', ']'],
  ['result', '{"a":', '1}'],
  ['data', '[', ']'],
  ['progress', '[', ']'],
])('%s nested 200,000 deep with %s ends only that upstream', async (at, open, close) => {
  const app = await started();
  const depth = 200_000;
  const args = { deep: depth, at, open, close: close === '1}' ? '}' : close };
  for (const era of ERAS) {
    await eventually(() => call(app, 'bad_echo').then(textOf, () => ''));
    await expect(call(app, 'bad_raw', args, { era, meta: { progressToken: 'p' } })).rejects.toThrow(/nested|malformed/);
  }
  await expectAlive(app);
});

test('a result of more lists than memory is meant for ends only that upstream', async () => {
  const app = await started();
  const args = { deep: 5_000_000, at: 'list', open: '[],', close: '' };
  await expect(call(app, 'bad_raw', args)).rejects.toThrow(/lists and objects/);
  await expectAlive(app);
});

test('a server that does not read what it is sent fails the calls that would fill the memory', async () => {
  const app = startAggregator({
    mcpServers: { bad: hostile({ isDeaf: true }), good: legacyServer() },
  });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  const stop = new AbortController();
  const text = 'x'.repeat(50_000_000);
  const calls = Array.from({ length: 4 }, () => call(app, 'bad_echo', { text }, { signal: stop.signal }));
  await expect(Promise.race(calls)).rejects.toThrow('does not read what it is sent');
  expect(textOf(await call(app, 'good_echo', { text: 'fine' }))).toBe('fine');
  stop.abort();
  await Promise.allSettled(calls);
});

test('a result that is as deep as real ones are passes', async () => {
  const app = await started();
  for (const era of ERAS) {
    const { structuredContent } = await call(app, 'bad_raw', { deep: 300, at: 'result' }, { era });
    expect(JSON.stringify(structuredContent)).toHaveLength(600);
  }
});

test('a result of null is passed on as null', async () => {
  const app = await started();
  const answer = await app.handle(
    'tools/call',
    { name: 'bad_raw', arguments: { raw: '{"jsonrpc":"2.0","id":@ID@,"result":null}' } },
    request(),
  );
  expect(answer).toMatchObject({ text: 'null' });
});

test.each(INHERITED)('a tool, prompt and method named %s work like any other', async (name) => {
  const app = await started({
    tools: [{ name, inputSchema: { type: 'object' } }],
    prompts: [{ name }],
    resources: [{ uri: name, name }],
  });
  const { tools } = await send(app, 'tools/list', {});
  expect((tools as Json[]).map((tool) => tool.name)).toContain(`bad_${name}`);
  expect(textOf(await call(app, `bad_${name}`))).toBe(name);
  const { prompts } = await send(app, 'prompts/list', {});
  expect((prompts as Json[]).map((prompt) => prompt.name)).toContain(`bad_${name}`);
  await expect(send(app, name, {})).rejects.toMatchObject({ code: -32601 });
  expect(textOf(await call(app, 'good_echo', { text: 'fine' }))).toBe('fine');
  expect((await app.health()).status).toBe('ok');
});

test('fields of the wrong type in lists and identity are harmless in every list, search and status', async () => {
  const object = { toString: 1, valueOf: 1 };
  const app = await started({
    serverInfo: { name: 'bad', version: object },
    tools: [
      { name: object, inputSchema: {} },
      { name: 'a', title: object, description: object, annotations: { title: object }, inputSchema: object },
      { name: 'b', inputSchema: { properties: { x: { description: object, enum: [object] }, __proto__: object } } },
      { name: 'c', inputSchema: null },
    ],
    prompts: [{ name: object }, { name: 'p', arguments: object }],
    resources: [{ uri: object }, { uri: 'x:1', name: object, mimeType: object }],
    templates: [{ uriTemplate: object }, { uriTemplate: '{+any', name: object }],
  });
  const { tools } = await send(app, 'tools/list', {});
  expect((tools as Json[]).map(({ name }) => name)).toContain('bad_a');
  for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) await send(app, method, {});
  expect(JSON.stringify(await call(app, 'search_tools', { query: 'a x p' }))).not.toContain('"isError":true');
  expect(JSON.stringify(await call(app, 'atoll_status'))).toContain('"bad"');
  for (const name of ['bad_a', 'bad_b']) expect(await call(app, 'describe_tool', { name })).toBeTypeOf('object');
});

test.each(['tools/call', 'prompts/get', 'resources/read', 'resources/subscribe', 'completion/complete'])(
  'client parameters of the wrong type in %s are rejected as invalid',
  async (method) => {
    const app = await started();
    const object = { toString: 1, valueOf: 1 };
    for (const params of [{ name: object, uri: object, ref: { type: 'ref/prompt', name: object } }, {}]) {
      await expect(send(app, method, params)).rejects.toHaveProperty('code');
    }
    await expectAlive(app);
  },
);

test('an upstream whose list cannot be read costs only that upstream, and the health says so', async () => {
  const config = configOf({ mcpServers: { bad: hostile(), good: legacyServer() } });
  const app = createAtollServer(config, { env: { PATH: process.env.PATH } });
  after(() => app.close());
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  const supervisor = app.supervisors.find(({ key }) => key === 'bad');
  const broken = { inputSchema: {} };
  Object.defineProperty(broken, 'name', {
    enumerable: true,
    get() {
      throw new Error('unreadable');
    },
  });
  vi.spyOn(supervisor as NonNullable<typeof supervisor>, 'lists', 'get').mockReturnValue({
    tools: [broken],
    prompts: [],
    resources: [],
    templates: [],
  });
  await app.reconfigure(config);
  const { tools } = await send(app, 'tools/list', {});
  const names = (tools as Json[]).map(({ name }) => String(name));
  expect(names).toContain('good_echo');
  expect(names.some((name) => name.startsWith('bad_'))).toBe(false);
  expect(await app.health()).toMatchObject({
    status: 'degraded',
    upstreams: { bad: { reason: expect.stringContaining('list') }, good: { state: 'up' } },
  });
});
