import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { expect, onTestFinished, test } from 'vitest';
import { SharedEmbedder } from '../src/upstreams/shared-embedder.ts';

/** What a pull leaves behind, but for the files that are read with the first text. */
async function install(models: string, name: string, dimensions: number) {
  const folder = join(models, name);
  await mkdir(folder, { recursive: true });
  const manifest = {
    name,
    kind: 'embedding',
    format: 'onnx',
    languages: ['en'],
    dimensions,
    maxTokens: 16,
    pooling: 'mean',
    prompts: { query: '', passage: '' },
    licence: 'MIT',
    source: { kind: 'npm', package: name, version: '1.0.0' },
    files: {},
  };
  await writeFile(join(folder, 'model.json'), JSON.stringify(manifest));
}

test('a lake gets the multilingual model of most languages, and the search for tools the quick one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atoll-embedder-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const models = join(dataDir, 'cortex-embeddings', 'models');
  const shared = new SharedEmbedder();
  onTestFinished(() => shared.close());
  const source = { env: {}, dataDir, log: silentLogger };
  expect(await shared.multilingual(source)).toBeUndefined();
  await install(models, 'use-multilingual-v3', 512);
  expect((await shared.multilingual(source))?.model.name).toBe('use-multilingual-v3');
  await install(models, 'multilingual-e5-small-q4', 384);
  expect((await shared.multilingual(source))?.model.name).toBe('multilingual-e5-small-q4');
  const searched = await shared.models(source);
  expect(searched.map(({ identity }) => identity.split('/')[0])).toEqual(['all-MiniLM-L6-v2', 'use-multilingual-v3']);
});

test('where only the model of most languages is installed, the search for tools compares by that', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atoll-embedder-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const shared = new SharedEmbedder();
  onTestFinished(() => shared.close());
  await install(join(dataDir, 'cortex-embeddings', 'models'), 'multilingual-e5-small-q4', 384);
  const searched = await shared.models({ env: {}, dataDir, log: silentLogger });
  expect(searched.map(({ identity, isMultilingual }) => [identity.split('/')[0], isMultilingual])).toEqual([
    ['all-MiniLM-L6-v2', false],
    ['multilingual-e5-small-q4', true],
  ]);
});
