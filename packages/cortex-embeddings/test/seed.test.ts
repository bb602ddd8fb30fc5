import { mkdtemp, rm } from 'node:fs/promises';
import { type as platformName, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory, seedSuite } from '@atoll-mcp/core/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CortexTools, createEmbedder, createMcpServer, type Embedder, EmbeddingService } from '../src/index.ts';

vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
let embedder: Embedder;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cortex-seed-'));
  embedder = createEmbedder({ workers: 1, modelDir: join(dataDir, 'models') });
});

afterAll(async () => {
  await embedder.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A server that has seen nothing, on a model that is already loaded. */
async function connect() {
  const folder = await mkdtemp(join(dataDir, 'server-'));
  return connectInMemory(createMcpServer({ dataDir: folder }, { embedder }));
}

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const vector = {
  asymmetricMatch: (body: unknown) =>
    Array.isArray(body) && body.length === 384 && body.every((value) => typeof value === 'number'),
};

const model = { model_name: 'all-MiniLM-L6-v2', dimensions: 384, backend: 'onnx' };

seedSuite('cortex-embeddings', connect, [
  {
    title: 'embedding.generate gives a vector with the documented metadata, first computed and then cached',
    calls: [
      {
        tool: 'embedding.generate',
        arguments: { text: 'string', normalize: true },
        answer: {
          embedding: vector,
          metadata: {
            ...model,
            cached: false,
            source: 'generator',
            generated_at: isoTime,
            cache_metrics: { cache_hits: 0, cache_misses: 1, rate_limited: 0 },
          },
        },
      },
      {
        tool: 'embedding.generate',
        arguments: { text: 'string' },
        answer: {
          embedding: vector,
          metadata: {
            ...model,
            cached: true,
            source: 'cache',
            generated_at: isoTime,
            cache_metrics: { cache_hits: 1, cache_misses: 1, rate_limited: 0 },
          },
        },
      },
    ],
  },
  {
    title: 'embedding.batch mirrors it with count and cached_hits',
    calls: [
      {
        tool: 'embedding.batch',
        arguments: { texts: ['text-1', 'text-2'], normalize: true },
        answer: {
          embeddings: [vector, vector],
          metadata: {
            ...model,
            count: 2,
            cached_hits: 0,
            source: 'generator',
            generated_at: isoTime,
            cache_metrics: { cache_hits: 0, cache_misses: 2, rate_limited: 0 },
          },
        },
      },
      {
        tool: 'embedding.batch',
        arguments: { texts: ['text-2', 'text-3'] },
        answer: {
          embeddings: [vector, vector],
          metadata: expect.objectContaining({
            count: 2,
            cached_hits: 1,
            source: 'mixed',
            cache_metrics: { cache_hits: 1, cache_misses: 3, rate_limited: 0 },
          }),
        },
      },
    ],
  },
  {
    title: 'model.info describes the model',
    calls: [
      {
        tool: 'model.info',
        arguments: {},
        answer: {
          ...model,
          model_loaded: expect.any(Boolean),
          extras: expect.objectContaining({
            sentence_transformers_available: false,
            identity: 'all-MiniLM-L6-v2/6638f625a0a6/int8/graph-4/mean/256-tokens',
            max_tokens: 256,
          }),
        },
      },
    ],
  },
  {
    title: 'health.status reports platform, backends, limits and counters',
    calls: [
      {
        tool: 'health.status',
        arguments: {},
        answer: {
          status: 'healthy',
          platform: platformName(),
          backends_available: expect.objectContaining({ mlx: false, sentence_transformers: false, onnx: true }),
          rate_limit: 120,
          cache_size: 256,
          metrics: { cache_hits: 0, cache_misses: 0, rate_limited: 0 },
        },
      },
    ],
  },
  {
    title: 'failures are code, message and details, with the codes of the HTTP API',
    calls: [
      {
        tool: 'embedding.generate',
        arguments: { text: 'x'.repeat(8_193) },
        answer: {
          code: 'TEXT_TOO_LONG',
          message: 'The text has 8193 characters; at most 8192 are accepted',
          details: { length: 8_193, limit: 8_192 },
        },
        isError: true,
      },
      {
        tool: 'embedding.generate',
        arguments: { text: '   ' },
        answer: {
          code: 'VALIDATION_ERROR',
          message: 'The text is empty; give at least one character that is not a blank',
        },
        isError: true,
      },
      {
        tool: 'embedding.batch',
        arguments: { texts: ['fine', 'file:///etc/passwd'] },
        answer: {
          code: 'SECURITY_VIOLATION',
          message: 'Text 1 contains "file://", which the security policy refuses',
          details: { pattern: 'file://', index: 1 },
        },
        isError: true,
      },
    ],
  },
]);

test('the usage example works: a service with a generator of the caller, and its tools', async () => {
  const service = new EmbeddingService({ generator: (texts) => texts.map(({ length }) => [length, 0, 0]) });
  const result = await new CortexTools(service).embeddingGenerate({ text: 'hello world' });
  expect(result).toMatchObject({
    embedding: [1, 0, 0],
    metadata: { model_name: 'custom', dimensions: 3, backend: 'generator', cached: false },
  });
});
