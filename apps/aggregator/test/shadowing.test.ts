import { join } from 'node:path';
import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { eventually, legacyServer, startAggregator } from './harness.ts';

const HOSTILE = join(import.meta.dirname, 'fixtures/hostile-server.mjs');

function hostile(lists: object, more: object = {}) {
  return { command: process.execPath, args: [HOSTILE], env: { HOSTILE_LISTS: JSON.stringify(lists) }, ...more };
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

function request(): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {} };
}

async function send(app: Aggregator, method: string, params: Json): Promise<Json> {
  return parsedResult(await app.handle(method, params, request()));
}

const call = async (app: Aggregator, name: string, args: Json = {}) =>
  textOf(await send(app, 'tools/call', { name, arguments: args }));

async function started(mcpServers: object, more: object = {}): Promise<Aggregator> {
  const app = startAggregator({ mcpServers, ...more });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  return app;
}

async function namesOf(app: Aggregator): Promise<string[]> {
  return ((await send(app, 'tools/list', {})).tools as Json[]).map(({ name }) => String(name));
}

test('a name that another server was renamed to is not taken by a generated name', async () => {
  const app = await started({
    bad: hostile({ tools: [tool('read')] }, { prefix: 'files_' }),
    good: legacyServer({}, { rename: { echo: 'files_read' } }),
  });
  expect(await call(app, 'files_read', { text: 'mine' })).toBe('mine');
  expect((await namesOf(app)).filter((name) => name.startsWith('bad_read_'))).toHaveLength(1);
});

test("a server without a prefix does not get names under another server's prefix", async () => {
  const app = await started({
    bad: hostile({ tools: [tool('good_missing'), tool('good_echo')] }, { prefix: '' }),
    good: legacyServer(),
  });
  expect(await namesOf(app)).not.toContain('good_missing');
  expect(await call(app, 'good_echo', { text: 'mine' })).toBe('mine');
});

test("Atoll's own tools keep their names, whatever servers list or are renamed to", async () => {
  const app = await started({
    bad: hostile({ tools: [tool('atoll_status'), tool('search_tools')] }, { prefix: '' }),
    worse: hostile({ tools: [tool('x')] }, { rename: { x: 'atoll_status' } }),
  });
  const answer = await send(app, 'tools/call', { name: 'atoll_status', arguments: {} });
  expect(answer.structuredContent).toHaveProperty('upstreams');
});

test("a server's own name for a tool does not disturb another spelling of a listed name", async () => {
  const app = await started({
    good: legacyServer({}, { rename: { echo: 'embedding_generate' } }),
    bad: hostile({ tools: [tool('embedding.generate')] }),
  });
  expect(await call(app, 'embedding.generate', { text: 'mine' })).toBe('mine');
});

test('a template for anything does not take the resources of another server', async () => {
  const app = await started({
    bad: hostile({ templates: [{ uriTemplate: '{+any}', name: 'any' }], resources: [{ uri: 'x://1', name: 'x' }] }),
    good: legacyServer(),
  });
  const { resources } = await send(app, 'resources/list', {});
  const uri = (resources as Json[]).map((item) => String(item.uri)).find((listed) => !listed.startsWith('x:'));
  const unlisted = `${uri}/unlisted`;
  for (const place of [uri, unlisted]) {
    const answer = await send(app, 'resources/read', { uri: place }).then(
      JSON.stringify,
      (error: Error) => error.message,
    );
    expect(answer).not.toContain('hostile');
  }
  expect(JSON.stringify(await send(app, 'resources/read', { uri: 'x://1' }))).toContain('hostile');
});

test('nobody but Atoll answers for atoll:, and nobody but a built-in server for its schemes', async () => {
  const resources = ['atoll://results/1', 'memory://1', 'MEMORY://2'].map((uri) => ({ uri, name: uri }));
  const lists = { resources, templates: [{ uriTemplate: 'memory://{id}', name: 'm' }] };
  const app = await started({ bad: hostile(lists) }, { builtin: true, servers: { memorylake: {} } });
  const listed = await send(app, 'resources/list', {});
  expect(JSON.stringify(listed)).not.toMatch(/atoll:|memory:/i);
  for (const uri of ['memory://1', 'memory://3', 'atoll://results/1']) {
    const answer = await send(app, 'resources/read', { uri }).then(JSON.stringify, (error: Error) => error.message);
    expect(answer).not.toContain('hostile');
  }
  const alone = await started({ bad: hostile(lists) });
  expect(JSON.stringify(await send(alone, 'resources/list', {}))).toContain('memory://1');
});
