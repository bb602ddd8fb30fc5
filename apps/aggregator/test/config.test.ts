import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { configDefinition as cortexDefinition } from '@atoll-mcp/cortex-embeddings';
import { configDefinition as lakeDefinition } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { expect, test, vi } from 'vitest';
import { findConfigFile, watchFile } from '../src/commands/config-file.ts';
import { type Aggregator, configDefinition } from '../src/index.ts';
import { configFor } from '../src/upstreams/builtin.ts';
import { textOf } from './clients.ts';
import { after, configOf, eventually, isAlive, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

const send = async (app: Aggregator, method: string, params: Json = {}, more: Partial<RequestContext> = {}) =>
  parsedResult(await app.handle(method, params, request(more)));

const names = async (app: Aggregator, more: Partial<RequestContext> = {}) =>
  ((await send(app, 'tools/list', {}, more)).tools as Json[]).map(({ name }) => String(name));

test('a changed configuration is applied without touching what did not change', async () => {
  const dataDir = tempDir();
  const app = startAggregator({ mcpServers: { stays: legacyServer(), goes: legacyServer() } }, { dataDir });
  const pidOf = async (name: string) => Number(JSON.parse(textOf(await send(app, 'tools/call', { name }))).pid);
  const [stays, goes] = [await pidOf('stays_whoami'), await pidOf('goes_whoami')];
  const changes: string[] = [];
  app.onChange(({ kind }) => void changes.push(kind));
  const renamed = legacyServer({}, { prefix: 'kept_', deny: ['fail'] });
  await app.reconfigure(configOf({ mcpServers: { stays: renamed, comes: legacyServer() } }, dataDir));
  expect(await pidOf('kept_whoami')).toBe(stays);
  expect(await names(app)).toEqual(expect.arrayContaining(['kept_echo', 'comes_echo']));
  expect(await names(app)).not.toContain('kept_fail');
  expect((await names(app)).some((name) => name.startsWith('goes_'))).toBe(false);
  await eventually(() => !isAlive(goes));
  await eventually(() => changes.includes('tools'));
});

test('a name under "servers" that is not built in is rejected, with the right ones', () => {
  const file = join(tempDir(), 'atoll.json');
  writeFileSync(file, JSON.stringify({ servers: { memorylake: {}, 'tensor-directry': {} } }));
  expect(() => loadConfig(configDefinition, { argv: ['--config', file] })).toThrow(
    /tensor-directry.*not a built-in server \(tensor-directory, msty-admin/,
  );
});

test('servers, views and callers can be told by the environment alone', () => {
  const env = {
    ATOLL_SERVERS: '{"memorylake":{"deny":["delete_memory"]}}',
    ATOLL_MCP_SERVERS: '{"files":{"command":"some-server"}}',
    ATOLL_VIEWS: '{"small":{"servers":["files"]}}',
    ATOLL_TOKENS: '[{"name":"ada","token":"secret","views":["small"]}]',
    ATOLL_OAUTH: '{"issuer":"https://issuer.example","audience":"https://atoll.example/mcp"}',
  };
  expect(loadConfig(configDefinition, { env }).config).toMatchObject({
    servers: { memorylake: { deny: ['delete_memory'] } },
    mcpServers: { files: { command: 'some-server' } },
    views: { small: { servers: ['files'] } },
    tokens: [{ name: 'ada', views: ['small'] }],
    oauth: { issuer: 'https://issuer.example' },
  });
});

test('a setting that a built-in server does not have keeps it down and is named', async () => {
  const app = startAggregator({ builtin: true, servers: { 'cortex-embeddings': { maxCharz: 5 } } });
  await expect(send(app, 'tools/call', { name: 'model.info' })).rejects.toThrow(
    'unknown setting "servers.cortex-embeddings.maxCharz"',
  );
});

test('a built-in server takes settings that have no flag, such as keys', () => {
  const settings = { openaiApiKey: 'k', maxChars: 5 };
  const config = configFor(cortexDefinition, 'cortex-embeddings', { env: {}, dataDir: '/nowhere', settings });
  expect(config).toMatchObject({ openaiApiKey: 'k', maxChars: 5 });
});

test('a built-in server takes settings that are lists of objects, such as folders', () => {
  const folders = [{ path: '/harbour', collection: 'harbour' }];
  const config = configFor(lakeDefinition, 'memorylake', { env: {}, dataDir: '/nowhere', settings: { folders } });
  expect(config).toMatchObject({ folders });
});

test('a server whose command changed is started anew', async () => {
  const dataDir = tempDir();
  const app = startAggregator({ mcpServers: { one: legacyServer() } }, { dataDir });
  const first = JSON.parse(textOf(await send(app, 'tools/call', { name: 'one_whoami' })));
  await app.reconfigure(configOf({ mcpServers: { one: legacyServer({ FIXTURE_NAME: 'other' }) } }, dataDir));
  const second = JSON.parse(textOf(await send(app, 'tools/call', { name: 'one_whoami' })));
  expect(second.name).toBe('other');
  await eventually(() => !isAlive(first.pid));
});

test('the file is the one that is named, else the one here, else the one of the user', () => {
  const folder = tempDir();
  const user = join(folder, 'config', 'atoll');
  const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), APPDATA: join(folder, 'config') };
  expect(findConfigFile(['--config', 'x.yaml'], env, folder)).toBe(join(folder, 'x.yaml'));
  expect(findConfigFile(['--config=y.json'], { ...env, ATOLL_CONFIG: 'z' }, folder)).toBe(join(folder, 'y.json'));
  expect(findConfigFile([], { ...env, ATOLL_CONFIG: 'z' }, folder)).toBe(join(folder, 'z'));
  expect(findConfigFile([], env, folder)).toBeUndefined();
  if (process.platform === 'linux') {
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, 'atoll.yaml'), 'mode: full');
    expect(findConfigFile([], env, folder)).toBe(join(user, 'atoll.yaml'));
  }
  writeFileSync(join(folder, 'atoll.json'), '{}');
  expect(findConfigFile([], env, folder)).toBe(join(folder, 'atoll.json'));
});

test('a change is seen however an editor writes the file, and only when it differs', async () => {
  const file = join(tempDir(), 'atoll.json');
  writeFileSync(file, '1');
  let changes = 0;
  after(watchFile(file, () => void changes++));
  writeFileSync(file, '1');
  writeFileSync(file, '2');
  await eventually(() => changes === 1);
  writeFileSync(`${file}.new`, '3');
  renameSync(`${file}.new`, file);
  await eventually(() => changes === 2);
});

test('a view shows its part, and a token opens only its own views', async () => {
  const app = startAggregator({
    mcpServers: { one: legacyServer(), two: legacyServer() },
    views: { small: { servers: ['one'], allow: ['*_echo', 'one_slow'] }, other: { servers: ['two'] } },
  });
  await names(app);
  expect(await names(app, { path: 'small' })).toEqual(['atoll_status', 'one_echo', 'one_slow']);
  await expect(send(app, 'tools/call', { name: 'two_echo' }, { path: 'small' })).rejects.toThrow(/Unknown tool/);
  await expect(send(app, 'tools/call', { name: 'one_fail' }, { path: 'small' })).rejects.toThrow(/Unknown tool/);
  await expect(names(app, { path: 'unknown' })).rejects.toThrow(/Unknown view "unknown"/);
  const principal = { id: 'ada', views: ['other'] };
  expect((await names(app, { principal })).some((name) => name.startsWith('one_'))).toBe(false);
  await expect(names(app, { principal, path: 'small' })).rejects.toThrow(/no access to the view "small"/);
  expect((await send(app, 'resources/list', {}, { path: 'other' })).resources).toHaveLength(2);
});

test('search mode lists the status and three tools that find, describe and call the rest', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() }, mode: 'search' });
  await eventually(() => app.status()[0]?.state === 'up');
  expect(await names(app)).toEqual(['atoll_status', 'search_tools', 'describe_tool', 'call_tool', 'read_result']);
  const call = (name: string, args: Json) => send(app, 'tools/call', { name, arguments: args });
  const found = (await call('search_tools', { query: 'echo some text', limit: 3 })).structuredContent as {
    tools: Json[];
  };
  expect(found.tools[0]).toMatchObject({ name: 'one_echo', server: 'one' });
  expect(found.tools.length).toBeLessThanOrEqual(3);
  const one = (await call('search_tools', { query: 'the tool', limit: 1 })).structuredContent as { tools: Json[] };
  expect(one.tools).toHaveLength(1);
  const all = (await call('search_tools', { query: 'one', limit: 50 })).structuredContent as { tools: Json[] };
  for (const { name } of all.tools) {
    const named = (await call('search_tools', { query: name })).structuredContent as { tools: Json[] };
    expect(named.tools[0]?.name).toBe(name);
  }
  const described = (await call('describe_tool', { name: 'one_echo' })).structuredContent;
  expect(described).toMatchObject({ name: 'one_echo', inputSchema: { properties: { text: { type: 'string' } } } });
  expect(await call('describe_tool', { name: 'nothing' })).toMatchObject({ isError: true });
  expect(await call('call_tool', { name: 'one_echo', arguments: { text: 'x' } })).toMatchObject({
    content: [{ type: 'text', text: 'x' }],
    structuredContent: { text: 'x' },
  });
  expect(await call('call_tool', { name: 'one_fail' })).toMatchObject({
    isError: true,
    content: [{ text: 'it failed' }],
  });
  await expect(call('call_tool', { name: 'one_fault' })).rejects.toMatchObject({ code: -31234 });
  const status = (await call('call_tool', { name: 'atoll_status' })).structuredContent as { upstreams: Json[] };
  expect(status.upstreams).toMatchObject([{ key: 'one', state: 'up' }]);
});

test('atoll_status and health tell the state of every upstream', async () => {
  const app = startAggregator({
    mcpServers: {
      good: legacyServer(),
      off: legacyServer({}, { disabled: true }),
      bad: { command: '/no/such/program' },
    },
  });
  await eventually(() => app.status().find(({ key }) => key === 'bad')?.state === 'down');
  await send(app, 'tools/call', { name: 'good_echo' });
  await send(app, 'tools/call', { name: 'good_fail' });
  const answer = await send(app, 'tools/call', { name: 'atoll_status' });
  const { upstreams } = answer.structuredContent as { upstreams: Json[] };
  expect(upstreams).toMatchObject([
    { key: 'good', state: 'up', kind: 'stdio', era: 'legacy', calls: 2, failures: 1 },
    { key: 'off', state: 'disabled' },
    { key: 'bad' },
  ]);
  expect(String(upstreams[2]?.reason)).toMatch(/could not be started/);
  const [listed, tokens] = [await send(app, 'tools/list'), Number(upstreams[0]?.call_tokens)];
  const list_tokens = Math.ceil(JSON.stringify({ tools: listed.tools }).length / 4);
  expect(answer.structuredContent).toMatchObject({ views: [{ list_tokens }], call_tokens: tokens });
  expect(tokens).toBeGreaterThan(2);
  const health = await app.health();
  expect(health.status).toBe('degraded');
  expect(health.upstreams).toMatchObject({ good: { state: 'up' }, off: { state: 'disabled' } });
  const metrics = await app.metrics();
  expect(metrics).toContain('atoll_upstream_calls_total{upstream="good",tool="echo",outcome="ok"} 1');
  expect(metrics).toContain('atoll_upstream_up{upstream="good"} 1');
});
