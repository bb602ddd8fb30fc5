import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectHttp, connectStdio, connectV1 } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import { textOf } from '../clients.ts';
import { after, eventually, legacyServer, tempDir } from '../harness.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const CLI = join(import.meta.dirname, '../../dist/cli.js');

/** The program as people start it, in a home of its own. */
function program(...args: string[]) {
  const home = tempDir();
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  return { command: process.execPath, args: [CLI, '--data-dir', join(home, 'data'), ...args], env, cwd: home };
}

async function listening(...args: string[]): Promise<string> {
  const { command, args: all, env, cwd } = program('--http', '--port', '0', ...args);
  const child = spawn(command, all, { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  after(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stderr })) {
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
    if (msg === 'listening' && url) {
      child.stderr.resume();
      return url;
    }
  }
  throw new Error('It did not listen');
}

const ORIGINAL_TOOLS = [
  'upload_tensor',
  'detect_msty_installation',
  'embedding_generate',
  'search_memory',
  'atoll_status',
];

test.each(['legacy', 'modern'] as const)(
  'with no configuration our four servers answer a %s client over stdio',
  async (era) => {
    const client = await connectStdio({ ...program(), era });
    after(() => client.close());
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(ORIGINAL_TOOLS));
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,60}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(names.length);
    const stored = await client.callTool({
      name: 'upload_tensor',
      arguments: {
        name: 'ones',
        description: 'Four ones',
        tensor_data: [
          [1, 1],
          [1, 1],
        ],
      },
    });
    expect(stored.structuredContent).toMatchObject({ name: 'ones' });
    const status = await client.callTool({ name: 'atoll_status', arguments: {} });
    const { upstreams } = status.structuredContent as { upstreams: { key: string; state: string }[] };
    expect(upstreams.map(({ key, state }) => `${key} ${state}`)).toEqual([
      'tensor-directory up',
      'msty-admin up',
      'cortex-embeddings up',
      'memorylake up',
    ]);
  },
);

test('a million numbers reach a tool under any of its names', async () => {
  const client = await connectStdio(program());
  after(() => client.close());
  await client.listTools();
  const rows = Array.from({ length: 1_000 }, (_, i) => Array.from({ length: 1_000 }, (_, j) => i + j / 1_000));
  const calls: [string, object][] = [
    ['upload_tensor', { name: 'big', description: '', tensor_data: rows }],
    ['call_tool', { name: 'upload_tensor', arguments: { name: 'bigger', description: '', tensor_data: rows } }],
  ];
  for (const [name, args] of calls) {
    const { structuredContent } = await client.callTool({ name, arguments: args as Record<string, unknown> });
    expect(structuredContent).toMatchObject({ message: 'Tensor uploaded successfully' });
  }
  for (const name of ['big', 'bigger']) {
    const read = await client.callTool({ name: 'get_tensor', arguments: { name_or_uuid: name, slice: '999, 999' } });
    expect(read.structuredContent).toMatchObject({ dtype: 'float64', values: 999.999 });
  }
});

test('our four servers and a foreign one answer over HTTP, to clients of the old SDK too', async () => {
  const file = join(tempDir(), 'atoll.yaml');
  writeFileSync(
    file,
    `mcpServers:\n  other:\n    command: ${process.execPath}\n    args: ["${legacyServer().args[0]}"]\n`,
  );
  const url = await listening('--config', file);
  const [v1, v2] = [await connectV1({ url }), await connectHttp(url, { era: 'modern' })];
  after(() => Promise.all([v1.close(), v2.close()]));
  await eventually(async () => (await v1.listTools()).tools.some(({ name }) => name === 'other_echo'));
  for (const client of [v1, v2]) {
    expect(textOf(await client.callTool({ name: 'other_echo', arguments: { text: 'hi' } }))).toBe('hi');
    const tensors = await client.callTool({ name: 'list_tensors', arguments: {} });
    expect(tensors.isError).not.toBe(true);
  }
  const health = await (await fetch(new URL('/health', url))).json();
  expect(health).toMatchObject({ status: 'ok', upstreams: { memorylake: { state: 'up' }, other: { state: 'up' } } });
  expect(await (await fetch(new URL('/metrics', url))).text()).toContain('atoll_upstream_calls_total{upstream="other"');
});

test('search mode finds a built-in tool by what it does', async () => {
  const client = await connectStdio(program('--mode', 'search'));
  after(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'atoll_status',
    'search_tools',
    'describe_tool',
    'call_tool',
    'read_result',
    'save_result',
  ]);
  const found = await client.callTool({
    name: 'search_tools',
    arguments: { query: 'store an array of numbers', limit: 5 },
  });
  expect(JSON.stringify(found.structuredContent)).toContain('upload_tensor');
});

test('a built-in server that is left out of "servers" is not there, and its filters hold', async () => {
  const file = join(tempDir(), 'atoll.json');
  writeFileSync(
    file,
    JSON.stringify({ servers: { 'tensor-directory': { allow: ['list_*'] }, memorylake: { disabled: true } } }),
  );
  const client = await connectStdio(program('--config', file));
  after(() => client.close());
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.sort()).toEqual(['atoll_status', 'list_models', 'list_tensors', 'list_versions']);
  await expect(client.callTool({ name: 'search_memory', arguments: {} })).rejects.toThrow(/"memorylake" is disabled/);
});
