import { mkdtemp, rm } from 'node:fs/promises';
import { type as platformName, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory, originalSuite } from '@atoll-mcp/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  CortexPyMCPTools,
  CortexTools,
  createEmbedder,
  createMcpServer,
  type Embedder,
  EmbeddingService,
  TOOL_CONTRACTS,
} from '../src/index.ts';

vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
let embedder: Embedder;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cortex-original-'));
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

/*
 * Sentences of the original document, in its order:
 *  1 a server that mirrors the HTTP API          11 embedding.generate: error codes
 *  2 tools backed by the shared service          12 embedding.batch: input
 *  3 embedding.generate: one text                13 embedding.batch: output with count and cached_hits
 *  4 embedding.batch: several texts              14 embedding.batch: the same error codes
 *  5 model.info: metadata of the backend         15 model.info: output
 *  6 health.status: health, cache, rate limit    16 health.status: output
 *  7 contracts published as TOOL_CONTRACTS       17 failures hold code, message and optional details
 *  8 embedding.generate: input                   18 codes are those of the HTTP API (TEXT_TOO_LONG …)
 *  9 embedding.generate: output                  19 create_mcp_server()
 * 10 embedding.generate: metadata                20 CortexPyMCPTools(EmbeddingService(generator=…))
 */

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const vector = {
  asymmetricMatch: (body: unknown) =>
    Array.isArray(body) && body.length === 384 && body.every((value) => typeof value === 'number'),
};

const info = { model_name: 'all-MiniLM-L6-v2', dimensions: 384, backend: 'onnx' };
/** What vectors say beyond the original: everything that can change them. */
const model = { ...info, identity: 'all-MiniLM-L6-v2/6638f625a0a6/int8/graph-4/mean/256-tokens' };

originalSuite('cortex-embeddings', connect, [
  {
    title: '8 to 11. embedding.generate gives a vector with the documented metadata, first computed and then cached',
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
    title: '12, 13. embedding.batch mirrors it with count and cached_hits',
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
    title: '15. model.info describes the model',
    calls: [
      {
        tool: 'model.info',
        arguments: {},
        answer: {
          ...info,
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
    title: '16. health.status reports platform, backends, limits and counters',
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
    title: '14, 17, 18. failures are code, message and details, with the codes of the HTTP API',
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

describe('sentences of the original document', () => {
  test('1. the server mirrors the HTTP API: the same call gives the same vector both ways', async () => {
    const server = createMcpServer({ dataDir: await mkdtemp(join(dataDir, 'server-')) }, { embedder });
    onTestFinished(() => server.close());
    expect(server.routes?.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['POST /embed', 'POST /embeddings', 'GET /model-info', 'GET /health']),
    );
  });

  test('2. the tools share one EmbeddingService: its limits, cache and checks hold for each', async () => {
    const service = new EmbeddingService({ generator: embedder });
    const tools = new CortexTools(service);
    await tools.embeddingGenerate({ text: 'shared' });
    expect(await tools.embeddingBatch({ texts: ['shared'] })).toMatchObject({ metadata: { cached_hits: 1 } });
    expect(await tools.healthStatus()).toMatchObject({ metrics: { cache_hits: 1, cache_misses: 1, rate_limited: 0 } });
    for (const refused of [
      await tools.embeddingGenerate({ text: '<script>' }),
      await tools.embeddingBatch({ texts: ['<script>'] }),
    ]) {
      expect(refused).toMatchObject({ code: 'SECURITY_VIOLATION' });
    }
  });

  test('3 to 6. the four documented tools come first, each with a description', async () => {
    const client = await connect();
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.slice(0, 4).map(({ name }) => name)).toEqual([
      'embedding.generate',
      'embedding.batch',
      'model.info',
      'health.status',
    ]);
    for (const { description } of tools) expect(description).toMatch(/\w+ \w+/);
  });

  test('7. input, output and error schemas of every tool are published as TOOL_CONTRACTS', () => {
    for (const name of ['embedding.generate', 'embedding.batch', 'model.info', 'health.status']) {
      expect(TOOL_CONTRACTS[name]).toMatchObject({ input: { type: 'object' }, output: { type: 'object' } });
      expect(TOOL_CONTRACTS[name]?.error).toMatchObject({ required: ['code', 'message'] });
    }
  });

  test('11, 14. both embedding tools declare the documented error codes', () => {
    const codes = ['VALIDATION_ERROR', 'SECURITY_VIOLATION', 'RATE_LIMITED', 'INTERNAL_ERROR'];
    for (const name of ['embedding.generate', 'embedding.batch']) {
      expect(Object.keys(TOOL_CONTRACTS[name]!.errors)).toEqual(expect.arrayContaining(codes));
    }
  });

  test('16. a service is limited to 120 requests a minute and keeps 256 vectors, as the example shows', async () => {
    const service = new EmbeddingService({ generator: (texts) => texts.map(() => [1]) });
    expect(await new CortexTools(service).healthStatus()).toMatchObject({ rate_limit: 120, cache_size: 256 });
  });

  test('19. createMcpServer() gives a server that any client can be connected to', async () => {
    const client = await connectInMemory(createMcpServer());
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(4);
  });

  test('20. a service with a generator of the caller, and its tools, by either name', async () => {
    const service = new EmbeddingService({ generator: (texts) => texts.map(({ length }) => [length, 0, 0]) });
    const result = await new CortexPyMCPTools(service).embeddingGenerate({ text: 'hello world' });
    expect(result).toMatchObject({
      embedding: [1, 0, 0],
      metadata: { model_name: 'custom', dimensions: 3, backend: 'generator', cached: false },
    });
    expect(CortexPyMCPTools).toBe(CortexTools);
    if ('code' in result) throw new Error(result.message);
    // Typed: these lines do not compile when results are plain records.
    const values: number[] = result.embedding;
    const source: 'generator' | 'cache' = result.metadata.source;
    expect([values.length, source]).toEqual([3, 'generator']);
  });
});
