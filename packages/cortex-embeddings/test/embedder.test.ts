import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEmbedder, type Embedder, type EmbedderSettings } from '../src/index.ts';
import referenceVectors from './reference-vectors.json' with { type: 'json' };

// A model in a thread is slow to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const sentences = [
  'A cat sleeps on the sofa.',
  'A kitten naps on the couch.',
  'The stock market fell sharply on Monday.',
  'Grüße aus Zürich, où l’été est trop court.',
  '機器學習與向量搜尋',
  'x',
  'const sum = (a: number[]) => a.reduce((x, y) => x + y, 0); // O(n)',
  '🎉🚀 Launch day! 👩‍🚀🥳',
  '今天的天气很好，我们一起去公园散步，然后在湖边的小店里喝茶。'.repeat(6),
  `${'A long text about the harbour and its islands. '.repeat(60)}`,
  // Nothing to tell its tokens apart, so attention is flat and its sums are the largest.
  '. '.repeat(300),
];

let modelDir: string;
const opened: Embedder[] = [];

function open(settings: EmbedderSettings = {}): Embedder {
  const embedder = createEmbedder({ workers: 2, modelDir, ...settings });
  opened.push(embedder);
  return embedder;
}

let shared: Embedder;

beforeAll(async () => {
  modelDir = await mkdtemp(join(tmpdir(), 'cortex-model-'));
  shared = open();
});

afterAll(async () => {
  await Promise.all(opened.map((embedder) => embedder.close()));
  await rm(modelDir, { recursive: true, force: true });
});

describe('the same text gives the same vector', () => {
  test('alone, in a batch, in another order and from another embedder', async () => {
    const together = await shared.embed(sentences, { priority: 'bulk' });
    const alone = [];
    for (const sentence of sentences) alone.push((await shared.embed([sentence]))[0]);
    expect(alone).toEqual(together);
    expect(await shared.embed([...sentences].reverse())).toEqual([...together].reverse());
    expect(await open({ workers: 1 }).embed(sentences)).toEqual(together);
  });

  test('whatever texts it shares a run with', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `${'Another word and '.repeat((i * 7) % 9)}number ${i}`);
    const alone = [];
    for (const text of texts) alone.push((await shared.embed([text]))[0]);
    for (const priority of ['bulk', 'interactive'] as const) {
      expect(await shared.embed(texts, { priority })).toEqual(alone);
      expect(await shared.embed(texts.slice(13, 29), { priority })).toEqual(alone.slice(13, 29));
    }
  });

  test('natively and in WebAssembly, to the last bit in int8', async () => {
    const wasm = open({ backend: 'wasm', workers: 1 });
    const [here, there] = await Promise.all([shared.embed(sentences), wasm.embed(sentences)]);
    expect(shared.state().name).toBe('onnx');
    expect(wasm.state().name).toBe('wasm');
    expect(shared.identity).toBe(wasm.identity);
    for (const [index, vector] of here.entries()) expect(there[index], sentences[index]).toEqual(vector);
  });

  test('natively and in WebAssembly, to six digits in fp32', async () => {
    const native = open({ precision: 'fp32', backend: 'onnx', workers: 1 });
    const wasm = open({ precision: 'fp32', backend: 'wasm', workers: 1 });
    const [here, there] = await Promise.all([native.embed(sentences), wasm.embed(sentences)]);
    expect(native.identity).toBe(wasm.identity);
    for (const [index, vector] of here.entries()) expect(cosine(vector, there[index]!)).toBeGreaterThan(0.999999);
  });
});

// Of the model's own fp32 file, in the pipeline of @huggingface/transformers.
const references = referenceVectors.map(
  ({ vector }) => new Float32Array(Uint8Array.from(Buffer.from(vector, 'base64')).buffer),
);
const referenceTexts = referenceVectors.map(({ text }) => text);

describe('vectors are those of the model', () => {
  test('in fp32 but for the last digits, which the weights in halves do not have', async () => {
    const vectors = await open({ precision: 'fp32', workers: 1 }).embed(referenceTexts);
    for (const [i, vector] of vectors.entries()) {
      expect(cosine(vector, references[i]!), referenceTexts[i]).toBeGreaterThan(0.99999);
      expect(distance(vector, references[i]!), referenceTexts[i]).toBeLessThan(1e-3);
    }
  });

  test('in int8 nearly so', async () => {
    const vectors = await shared.embed(referenceTexts);
    const cosines = vectors.map((vector, i) => cosine(vector, references[i]!));
    for (const [i, value] of cosines.entries()) expect(value, referenceTexts[i]).toBeGreaterThan(0.985);
    expect(cosines.reduce((sum, value) => sum + value, 0) / cosines.length).toBeGreaterThan(0.994);
  });
});

test('vectors have length 1 unless the caller wants them as the model gives them', async () => {
  const [unit] = await shared.embed(['hello world']);
  const [pooled] = await shared.embed(['hello world'], { normalize: false });
  expect(Math.hypot(...unit!)).toBeCloseTo(1, 5);
  const length = Math.hypot(...pooled!);
  expect(length).toBeGreaterThan(2);
  expect(
    distance(
      Float32Array.from(pooled!, (value) => value / length),
      unit!,
    ),
  ).toBeLessThan(1e-6);
});

test('texts that mean the same are nearer than texts that do not', async () => {
  const [cat, kitten, market] = await shared.embed(sentences.slice(0, 3));
  expect(cosine(cat!, kitten!)).toBeGreaterThan(0.7);
  expect(cosine(cat!, market!)).toBeLessThan(0.2);
});

test('a text beyond the token limit is reported as cut', async () => {
  const embedded = await shared.embedTexts(['short', 'word '.repeat(254).trim(), 'word '.repeat(255).trim()]);
  expect(embedded.map(({ tokens, truncated }) => ({ tokens, truncated }))).toEqual([
    { tokens: 3, truncated: false },
    { tokens: 256, truncated: false },
    { tokens: 257, truncated: true },
  ]);
});

test('a damaged graph on disk is noticed and built again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cortex-damaged-'));
  try {
    const file = (await readdir(modelDir)).find((name) => name.includes('int8'));
    await writeFile(join(folder, file!), 'not a graph');
    expect(await open({ modelDir: folder }).embed(['hello'])).toEqual(await shared.embed(['hello']));
    expect(await readdir(folder)).toEqual([file]);
    const [repaired, whole] = await Promise.all([folder, modelDir].map((each) => readFile(join(each, file!))));
    expect(repaired!.equals(whole!)).toBe(true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a folder that cannot be written costs time, not vectors', async () => {
  const blocked = join(modelDir, 'a-file');
  await writeFile(blocked, '');
  expect(await open({ modelDir: join(blocked, 'models') }).embed(['hello'])).toEqual(await shared.embed(['hello']));
});

test('the identity names all that can change a vector', () => {
  expect(createEmbedder().identity).toBe('all-MiniLM-L6-v2/6638f625a0a6/int8/graph-4/mean/256-tokens');
  expect(createEmbedder({ precision: 'fp32' }).identity).not.toBe(createEmbedder().identity);
  expect(createEmbedder().dimensions).toBe(384);
});

function distance(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - b[index]!)), 0);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

test('inside a thread, where telemetry cannot be switched off, the native library is not loaded', async () => {
  const script = `const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.library).then(async ({ createEmbedder }) => {
      const embedder = createEmbedder({ workers: 1, modelDir: workerData.modelDir });
      await embedder.load();
      const explicit = await createEmbedder({ backend: 'onnx' }).load().catch(({ message }) => message);
      parentPort.postMessage({ backend: embedder.state().name, explicit });
      await embedder.close();
    });`;
  const env = { ...process.env };
  delete env.ORT_DISABLE_TELEMETRY;
  const library = new URL('../dist/index.js', import.meta.url).href;
  const worker = new Worker(script, { eval: true, env, workerData: { library, modelDir } });
  const answer = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  expect(answer).toEqual({ backend: 'wasm', explicit: expect.stringContaining('Set ORT_DISABLE_TELEMETRY=1') });
});
