import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory } from '@atoll-mcp/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmbedder, createMcpServer, type Embedder, ModelStore, pullModel } from '../src/index.ts';
import { tinyModels, writeModel } from './_tiny-models.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
let dataDir: string;
let embedder: Embedder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-models-'));
  dataDir = join(folder, 'data');
  embedder = createEmbedder({ workers: 1, modelDir: join(folder, 'graph') });
  await pullModel(
    new ModelStore(join(dataDir, 'models')),
    await writeModel(join(folder, 'tiny'), tinyModels.wordPiece()),
  );
});

afterAll(async () => {
  await embedder.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(settings: Parameters<typeof createMcpServer>[0] = {}) {
  const server = createMcpServer({ dataDir, workers: 1, ...settings }, { embedder });
  const client = await connectInMemory(server);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of several tools; each test says what it expects.
    return { ...(structuredContent as any), isError: isError ?? false };
  };
}

const TINY = /^tiny\/[0-9a-f]{12}\/[0-9a-f]{12}\/mean\/512-tokens$/;

describe('a model by its name', () => {
  test('makes the vectors of a call, which say whose they are; other calls keep the default', async () => {
    const call = await connect();
    const tiny = await call('embedding.generate', { text: 'cat', model: 'tiny' });
    expect(tiny).toMatchObject({
      metadata: { model_name: 'tiny', dimensions: 4, identity: expect.stringMatching(TINY), cached: false },
    });
    const plain = await call('embedding.generate', { text: 'cat' });
    expect(plain.metadata).toMatchObject({ model_name: 'all-MiniLM-L6-v2', dimensions: 384, cached: false });
    expect((await call('embedding.generate', { text: 'cat', model: 'tiny' })).metadata.cached).toBe(true);
    expect((await call('embedding.generate', { text: 'cat', model: 'default' })).embedding).toEqual(plain.embedding);
  });

  test('works in every tool', async () => {
    const call = await connect();
    expect(await call('embedding.batch', { texts: ['cat', 'stock'], model: 'tiny' })).toMatchObject({
      metadata: { dimensions: 4, identity: expect.stringMatching(TINY) },
    });
    const similar = await call('embedding.similarity', { query: 'cat', texts: ['market', 'kitten'], model: 'tiny' });
    expect(similar).toMatchObject({ ranking: [1, 0], metadata: { model_name: 'tiny' } });
    expect(await call('embedding.tokens', { texts: ['the cat'], model: 'tiny' })).toMatchObject({
      counts: [4],
      limit: 512,
    });
    expect(await call('model.info', { model: 'tiny' })).toMatchObject({ model_name: 'tiny', dimensions: 4 });
  });

  test('model.info lists what there is and what could be had', async () => {
    const { extras } = await (await connect())('model.info', {});
    const models = extras.models as { name: string; sets: string[]; installed: boolean }[];
    expect(models.find(({ sets }) => sets.includes('default'))).toMatchObject({
      name: 'all-MiniLM-L6-v2',
      installed: true,
      active: true,
      identity: extras.identity,
    });
    expect(models.find(({ sets }) => sets.includes('multilingual'))).toMatchObject({
      name: 'use-multilingual-v3',
      installed: false,
      licence: 'Apache-2.0',
      dimensions: 512,
      source: expect.stringContaining('pypi'),
    });
    expect(models.find(({ sets }) => sets.includes('quality'))).toMatchObject({ name: 'bge-small-en-v1.5' });
    expect(models.find(({ name }) => name === 'tiny')).toMatchObject({ installed: true });
  });

  test.each([
    ['embedding.generate', { text: 'a' }],
    ['embedding.batch', { texts: ['a'] }],
    ['embedding.similarity', { query: 'a', texts: ['b'] }],
    ['embedding.tokens', { texts: ['a'] }],
    ['embedding.rerank', { query: 'a', documents: ['b'] }],
    ['embedding.verify', { text: 'a', embedding: [1] }],
    ['model.info', {}],
  ])(
    '%s says how to get one that is not installed, and names what is there for one that is none',
    async (tool, args) => {
      const call = await connect();
      expect(await call(tool, { ...args, model: 'multilingual' })).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'The model "multilingual" is not installed. Run: cortex-embeddings models pull multilingual',
        isError: true,
      });
      expect(await call(tool, { ...args, model: '../../etc' })).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('Installed: all-MiniLM-L6-v2, tiny'),
      });
    },
  );
});

describe('embedding.verify', () => {
  test('knows a vector of this model in every encoding, cut and not normalized', async () => {
    const call = await connect();
    const text = 'A cat sleeps on the sofa.';
    for (const options of [
      {},
      { encoding: 'base64' },
      { encoding: 'int8' },
      { dimensions: 100 },
      { normalize: false },
    ]) {
      const { embedding } = await call('embedding.generate', { text, ...options });
      expect(await call('embedding.verify', { text, embedding })).toMatchObject({ same: true, dimensions: 384 });
    }
  });

  test('tells a vector of another text, of another model and of another size', async () => {
    const call = await connect();
    const { embedding } = await call('embedding.generate', { text: 'A cat sleeps.' });
    const other = await call('embedding.verify', { text: 'A cat slept.', embedding });
    expect(other).toMatchObject({ same: false, cosine: expect.any(Number) });
    expect(await call('embedding.verify', { text: 'cat', embedding, model: 'tiny' })).toMatchObject({
      same: false,
      cosine: null,
      identity: expect.stringMatching(TINY),
    });
    const tiny = await call('embedding.generate', { text: 'cat', model: 'tiny' });
    expect((await call('embedding.verify', { text: 'cat', embedding: tiny.embedding })).same).toBe(false);
  });

  test.each([[[]], ['not base64!'], ['AAA='], [['a']], [{ 0: 1 }]])(
    'refuses %j, which is not a vector',
    async (embedding) => {
      expect(await (await connect())('embedding.verify', { text: 'a', embedding })).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('embedding'),
      });
    },
  );
});

describe('embedding.rerank', () => {
  const query = 'Where does the cat sleep?';
  const documents = [
    'The stock market fell sharply on Monday. Traders blamed the weather.',
    'It was a long day. In the evening the cat sleeps on the sofa. Nobody minds.',
    'Where does the time go? Nobody knows where.',
  ];

  test('without a cross-encoder fuses the nearest sentence and exact terms, and says so', async () => {
    const call = await connect();
    const answer = await call('embedding.rerank', { query, documents });
    expect(answer.metadata).toMatchObject({ method: 'late-fusion', model_name: 'all-MiniLM-L6-v2', count: 3 });
    expect(answer.results.map(({ index }: { index: number }) => index)[0]).toBe(1);
    expect(answer.results).toHaveLength(3);
    for (const { score } of answer.results) expect(score >= 0 && score <= 1).toBe(true);
    expect((await call('embedding.rerank', { query, documents, top_n: 1 })).results).toEqual([answer.results[0]]);
    expect((await call('embedding.rerank', { query, documents, top_n: 99 })).results).toEqual(answer.results);
  });

  test('with a cross-encoder installed that one decides', async () => {
    const place = join(folder, 'with-reranker');
    const store = new ModelStore(join(place, 'models'));
    await pullModel(store, await writeModel(join(folder, 'tiny-reranker'), tinyModels.reranker()));
    const call = await connect({ dataDir: place });
    const answer = await call('embedding.rerank', { query: 'the', documents: ['stock', 'cat sofa', 'kitten'] });
    expect(answer).toMatchObject({ results: [{ index: 1 }, { index: 2 }, { index: 0 }] });
    expect(answer.metadata).toMatchObject({ method: 'cross-encoder', model_name: 'tiny-reranker' });
    expect(await call('embedding.generate', { text: 'a', model: 'tiny-reranker' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('makes no vectors'),
    });
    const fused = await call('embedding.rerank', { query: 'the', documents: ['stock', 'cat'], model: 'default' });
    expect(fused.metadata.method).toBe('late-fusion');
  });

  test.each([
    ['Cohere and Jina', (scores: object[]) => ({ results: scores }), 'relevance_score'],
    ['TEI', (scores: object[]) => scores, 'score'],
  ])('an endpoint in the form of %s is asked when it is configured', async (_, wrap, field) => {
    const asked: unknown[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked.push(JSON.parse(body));
      response.end(
        JSON.stringify(
          wrap([
            { index: 1, [field]: 0.9 },
            { index: 0, [field]: 0.2 },
          ]),
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const rerankUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rerank`;
    const call = await connect({ rerankUrl, rerankModel: 'some-reranker' });
    expect(await call('embedding.rerank', { query: 'q', documents: ['a', 'b'] })).toMatchObject({
      results: [
        { index: 1, score: 0.9 },
        { index: 0, score: 0.2 },
      ],
      metadata: { method: 'cross-encoder', model_name: 'some-reranker' },
    });
    expect(asked).toMatchObject([{ query: 'q', documents: ['a', 'b'], model: 'some-reranker' }]);
  });

  test.each([
    ['no documents', { query, documents: [] }, 'VALIDATION_ERROR', /empty/],
    [
      '10,000 documents',
      { query, documents: Array.from({ length: 10_000 }, () => 'a') },
      'VALIDATION_ERROR',
      /10000 texts; at most 256/,
    ],
    ['an empty query', { query: '  ', documents }, 'VALIDATION_ERROR', /query is empty/],
    ['an empty document', { query, documents: ['a', ' '] }, 'VALIDATION_ERROR', /Text 1 is empty/],
    ['none of them', { query, documents, top_n: 0 }, 'VALIDATION_ERROR', /top_n is 0/],
    ['a document that is none', { query, documents: [7] }, 'VALIDATION_ERROR', /documents.0/],
  ])('refuses %s', async (_, args, code, message) => {
    expect(await (await connect())('embedding.rerank', args)).toMatchObject({
      code,
      message: expect.stringMatching(message),
      isError: true,
    });
  });
});
