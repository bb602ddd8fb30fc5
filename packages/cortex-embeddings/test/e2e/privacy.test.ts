import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectStdio } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cli } from './_program.ts';
import { readTrace, traced, whyNoTrace } from './_trace.ts';

vi.setConfig({ testTimeout: 300_000 });

// The telemetry of onnxruntime comes to life about ten seconds after the first session.
const WATCHED_MS = 22_000;

let folder: string;
const noTrace = whyNoTrace();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-privacy-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function emptyPlaces() {
  const [home, temporary, dataDir] = await Promise.all(
    ['home-', 'tmp-', 'data-'].map((name) => mkdtemp(join(folder, name))),
  );
  const env = { PATH: process.env.PATH ?? '', HOME: home!, TMPDIR: temporary!, XDG_CACHE_HOME: join(home!, '.cache') };
  return { home: home!, temporary: temporary!, dataDir: dataDir!, env };
}

test('the watch sees an address, a look-up and a file, so that it can fail', async ({ skip }) => {
  if (noTrace) skip(noTrace);
  const { home, env } = await emptyPlaces();
  const script = `require('node:dgram').createSocket('udp4').connect(9, '192.0.2.1', function () { this.close(); });
    require('node:dns').lookup('localhost', () => {});
    require('node:fs').writeFileSync(process.env.HOME + '/left', '');`;
  const log = join(folder, 'control.txt');
  const { command, args } = traced(log, process.execPath, ['-e', script]);
  spawnSync(command, args, { env });
  const seen = readTrace(log);
  expect(seen.addresses).toContain('192.0.2.1');
  expect(seen.lookups).toContain('/etc/hosts');
  expect(seen.written).toContain(join(home, 'left'));
});

test('every tool in use: no socket, no look-up, nothing written outside the data folder', async ({ skip }) => {
  if (noTrace) skip(noTrace);
  const { home, temporary, dataDir, env } = await emptyPlaces();
  const log = join(folder, 'server.txt');
  const program = traced(log, process.execPath, [cli, '--data-dir', dataDir, '--workers', '2']);
  const client = await connectStdio({ ...program, env });
  const started = Date.now();
  for (const [name, args] of [
    ['embedding.generate', { text: 'hello world' }],
    ['embedding.batch', { texts: Array.from({ length: 40 }, (_, i) => `text ${i}`) }],
    ['embedding.similarity', { query: 'a cat', texts: ['a kitten', 'a stock market'] }],
    ['embedding.tokens', { texts: ['hello world'] }],
    ['embedding.rerank', { query: 'a cat', documents: ['a stock market', 'a kitten'] }],
    ['embedding.verify', { text: 'hello world', embedding: [1, 2, 3] }],
    ['model.info', {}],
    ['health.status', {}],
  ] as const) {
    expect((await client.callTool({ name, arguments: args })).isError ?? false, name).toBe(false);
  }
  expect((await client.callTool({ name: 'model.info', arguments: {} })).structuredContent).toMatchObject({
    backend: 'onnx',
  });
  await pause(WATCHED_MS - (Date.now() - started));
  expect(
    (await client.callTool({ name: 'embedding.generate', arguments: { text: 'still here' } })).isError ?? false,
  ).toBe(false);
  await client.close();

  const seen = readTrace(log);
  expect(seen.addresses).toEqual([]);
  expect(seen.lookups).toEqual([]);
  expect(seen.written.filter((path) => !path.startsWith(dataDir) && !path.startsWith('/dev/'))).toEqual([]);
  expect(seen.written.some((path) => path.startsWith(dataDir))).toBe(true);
  expect(await readdir(home)).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
});
