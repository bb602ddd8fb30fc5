import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmbedder, identityOf, listModels, ModelStore, pullModel } from '../../../src/index.ts';
import { tinyModels, tinyPiece, tinyRow, writeModel } from '../../_tiny-models.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-pull-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newStore = async () => new ModelStore(await mkdtemp(join(folder, 'models-')));

const unit = (vector: readonly number[]) => {
  const length = Math.hypot(...vector);
  return vector.map((value) => expect.closeTo(value / length, 5));
};
const mean = (rows: readonly number[][]) =>
  rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);

async function embed(store: ModelStore, model: string, text: string): Promise<number[]> {
  const embedder = createEmbedder({ modelDir: store.folder, model, workers: 1 });
  onTestFinished(() => embedder.close());
  const [vector] = await embedder.embed([text]);
  return Array.from(vector!);
}

describe('a folder with model.onnx and tokenizer.json', () => {
  test('is tried, pinned by hash and used where it is: WordPiece with mean pooling', async () => {
    const store = await newStore();
    const path = await writeModel(join(folder, 'tiny-mean'), tinyModels.wordPiece());
    const model = await pullModel(store, path);
    expect(model).toMatchObject({
      name: 'tiny-mean',
      dimensions: 4,
      pooling: 'mean',
      source: { kind: 'folder', path },
    });
    expect(await readdir(join(store.folder, 'tiny-mean'))).toEqual(['model.json']);
    const rows = ['[CLS]', 'cat', 'sofa', '[SEP]'].map(tinyRow);
    expect(await embed(store, 'tiny-mean', 'Cat sofa')).toEqual(unit(mean(rows)));
  });

  test('CLS pooling takes the first token, as the model itself says', async () => {
    const store = await newStore();
    await pullModel(store, await writeModel(join(folder, 'tiny-cls'), tinyModels.wordPiece('cls')));
    expect(await embed(store, 'tiny-cls', 'stock')).toEqual(unit(tinyRow('[CLS]')));
  });

  test('SentencePiece (Unigram), and a text that is longer than the model sees', async () => {
    const store = await newStore();
    const model = await pullModel(store, await writeModel(join(folder, 'tiny-unigram'), tinyModels.unigram()));
    expect(model.maxTokens).toBe(8);
    const rows = ['<s>', '▁kit', 'ten', '</s>'].map(tinyPiece);
    expect(await embed(store, 'tiny-unigram', 'kitten')).toEqual(unit(mean(rows)));
    const embedder = createEmbedder({ modelDir: store.folder, model: 'tiny-unigram', workers: 1 });
    onTestFinished(() => embedder.close());
    expect(await embedder.countTokens(['kitten', 'cat '.repeat(20).trim()])).toEqual([
      { tokens: 4, truncated: false },
      { tokens: 22, truncated: true },
    ]);
    const cut = ['<s>', ...Array.from({ length: 6 }, () => '▁cat'), '</s>'].map(tinyPiece);
    const [vector] = await embedder.embed(['cat '.repeat(20).trim()]);
    expect(Array.from(vector!)).toEqual(unit(mean(cut)));
  });

  test('a graph that pools by itself is taken at its word', async () => {
    const store = await newStore();
    await pullModel(store, await writeModel(join(folder, 'tiny-given'), tinyModels.sentence()));
    const rows = ['[CLS]', 'market', '[SEP]'].map(tinyRow);
    expect(await embed(store, 'tiny-given', 'market')).toEqual(unit(mean(rows)));
  });

  test.each([
    ['tokenizer.json', ['model.onnx']],
    ['model.onnx', ['tokenizer.json']],
  ] as const)('without %s it is refused, and says what a model is', async (missing, present) => {
    const all = tinyModels.wordPiece();
    const files = Object.fromEntries(present.map((name) => [name, all[name]]));
    const path = await writeModel(await mkdtemp(join(folder, 'broken-')), files);
    await expect(pullModel(await newStore(), path)).rejects.toMatchObject({
      message: `${path} holds no ${missing}`,
      remedy: expect.stringContaining('model.onnx and tokenizer.json'),
    });
  });

  test('a graph that is none is refused, and nothing is installed', async () => {
    const store = await newStore();
    const path = await writeModel(join(folder, 'not-a-graph'), { ...tinyModels.wordPiece(), 'model.onnx': 'hello' });
    await expect(pullModel(store, path)).rejects.toThrow('the graph of "not-a-graph" cannot be opened');
    expect(await store.list()).toEqual([]);
  });

  test('files that were changed later give no vector, but the command that repairs it', async () => {
    const store = await newStore();
    const path = await writeModel(join(folder, 'changed'), tinyModels.wordPiece());
    await pullModel(store, path);
    await writeFile(join(path, 'tokenizer.json'), JSON.stringify({ other: true }));
    await expect(embed(store, 'changed', 'cat')).rejects.toThrow(
      `tokenizer.json of "changed" is not the file that was installed. Run: cortex-embeddings models pull ${path}`,
    );
  });
});

describe('the store', () => {
  test('uses, forgets and lists models; removing the one in use goes back to the default', async () => {
    const store = await newStore();
    const path = await writeModel(join(folder, 'kept'), tinyModels.wordPiece());
    const model = await pullModel(store, path);
    expect(store.active()).toBe('all-MiniLM-L6-v2');
    await store.use('kept');
    const listed = await listModels(store, store.active());
    expect(listed.find(({ name }) => name === 'kept')).toMatchObject({
      installed: true,
      active: true,
      dimensions: 4,
      identity: identityOf(model),
    });
    expect(listed.filter(({ installed }) => installed).map(({ name }) => name)).toEqual(['all-MiniLM-L6-v2', 'kept']);
    await store.remove('kept');
    expect(store.active()).toBe('all-MiniLM-L6-v2');
    expect(await readdir(path)).toContain('model.onnx');
    await expect(store.remove('kept')).rejects.toThrow('"kept" is not installed');
    await expect(store.remove('default')).rejects.toThrow('comes with the package');
    await expect(store.use('multilingual')).rejects.toMatchObject({
      message: 'The model "multilingual" is not installed',
      remedy: 'Run: cortex-embeddings models pull multilingual',
    });
  });

  test('an embedder takes the model that was chosen, and says what to do when it is gone', async () => {
    const store = await newStore();
    await pullModel(store, await writeModel(join(folder, 'chosen'), tinyModels.wordPiece()));
    await store.use('chosen');
    expect(createEmbedder({ modelDir: store.folder }).model).toMatchObject({ name: 'chosen', dimensions: 4 });
    await rm(join(store.folder, 'chosen'), { recursive: true });
    expect(() => createEmbedder({ modelDir: store.folder })).toThrow('models pull chosen');
  });

  test.each(['../out', '/etc', '.hidden', 'constructor', '__proto__', 'a b'])(
    'the name %j leads nowhere',
    async (name) => {
      const store = await newStore();
      expect(store.find(name)).toBeUndefined();
      await expect(store.use(name)).rejects.toThrow('is not installed');
      await expect(pullModel(store, name === '/etc' ? '/etc' : `./${name}`)).rejects.toThrow(
        /holds no model.onnx|neither a known/,
      );
    },
  );
});
