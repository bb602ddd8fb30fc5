import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectStdio } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const home = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;

/** The built package in a place where everything is installed but what `without` names. */
async function install(without: readonly string[]): Promise<string> {
  const place = await mkdtemp(join(folder, 'installed-'));
  await cp(join(home, 'dist'), join(place, 'dist'), { recursive: true });
  await cp(join(home, 'package.json'), join(place, 'package.json'));
  for (const name of await packagesIn(join(home, 'node_modules'))) {
    if (without.includes(name)) continue;
    await mkdir(join(place, 'node_modules', name, '..'), { recursive: true });
    await symlink(join(home, 'node_modules', name), join(place, 'node_modules', name), 'junction');
  }
  return place;
}

async function packagesIn(modules: string): Promise<string[]> {
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const nested = names.map(async (name) =>
    name.startsWith('@') ? (await readdir(join(modules, name))).map((inner) => `${name}/${inner}`) : [name],
  );
  return (await Promise.all(nested)).flat();
}

/** What the last of the calls answers; all go to one server. */
async function ask(place: string, backend: string, ...calls: readonly (readonly [name: string, args: object])[]) {
  const dataDir = join(folder, 'data');
  const cli = join(place, 'dist/cli.js');
  const client = await connectStdio({
    command: process.execPath,
    args: [cli, '--data-dir', dataDir, '--backend', backend, '--disk-cache-bytes', '0'],
  });
  try {
    let answer: unknown;
    for (const [name, args] of calls) {
      answer = (await client.callTool({ name, arguments: { ...args } })).structuredContent;
    }
    return answer as Record<string, unknown>;
  } finally {
    await client.close();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-no-native-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('without the native runtime the same model goes on in WebAssembly', async () => {
  const place = await install(['onnxruntime-node']);
  const texts = ['A cat sleeps on the sofa.', 'A kitten naps on the couch.'];
  const there = await ask(place, 'auto', ['embedding.batch', { texts }]);
  const here = await ask(home, 'onnx', ['embedding.batch', { texts }]);
  expect(there).toMatchObject({ metadata: { backend: 'wasm', model_name: 'all-MiniLM-L6-v2' } });
  expect(here).toMatchObject({ metadata: { backend: 'onnx' } });
  expect(there.embeddings).toEqual(here.embeddings);
});

test('the user is told which runtime is in use and why', async () => {
  const place = await install(['onnxruntime-node']);
  const info = await ask(place, 'auto', ['embedding.generate', { text: 'hello' }], ['model.info', {}]);
  expect(info).toMatchObject({
    backend: 'wasm',
    extras: { native_runtime: expect.stringContaining('onnxruntime-node is not installed') },
  });
  expect(await ask(place, 'auto', ['health.status', {}])).toMatchObject({
    backends_available: { onnx: false, wasm: true },
  });
});

test('without any runtime the answer says why and what to do, and is no vector', async () => {
  const place = await install(['onnxruntime-node', 'onnxruntime-web']);
  expect(await ask(place, 'auto', ['embedding.generate', { text: 'hello' }])).toEqual({
    code: 'INTERNAL_ERROR',
    message:
      'The embedding model is not available: neither onnxruntime-node nor onnxruntime-web can be loaded. Reinstall the package',
    details: { reason: 'model_unavailable' },
  });
});
