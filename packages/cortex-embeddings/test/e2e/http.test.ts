import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectHttp } from '@atoll-mcp/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type HttpProgram, startHttp } from './_program.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let dataDir: string;
let program: HttpProgram;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cortex-http-'));
  program = await startHttp(['--data-dir', dataDir, '--rate-limit-per-minute', '0']);
});

afterAll(async () => {
  await program.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function post(path: string, body: unknown, base = program.base) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

async function healthOf(base: string) {
  return (await (await fetch(`${base}/health`)).json()) as { metrics: { rate_limited: number } };
}

describe('the HTTP API of the original', () => {
  test('curl gets a vector', async () => {
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '--fail-with-body', `${program.base}/embed`],
      ...['-H', 'content-type: application/json', '-d', '{"text":"hello world","normalize":true}'],
    ]);
    const { embedding, metadata } = JSON.parse(stdout);
    expect(embedding).toHaveLength(384);
    expect(metadata).toMatchObject({ model_name: 'all-MiniLM-L6-v2' });
  });

  test('several texts give several vectors, the same as one by one', async () => {
    const { status, body } = await post('/embeddings', { texts: ['one text', 'another'] });
    expect(status).toBe(200);
    expect(body.embeddings[1]).toEqual((await post('/embed', { text: 'another' })).body.embedding);
  });

  test('model and health are told', async () => {
    const [info, health] = await Promise.all(
      ['/model-info', '/health'].map(async (path) => (await fetch(program.base + path)).json()),
    );
    expect(info).toMatchObject({ model_name: 'all-MiniLM-L6-v2', dimensions: 384 });
    expect(health).toMatchObject({ status: 'healthy', platform: expect.any(String), cache_size: 256 });
  });

  test('every answer with vectors names model and graph in a header', async () => {
    const identity = 'all-MiniLM-L6-v2/6638f625a0a6/int8/graph-4/mean/256-tokens';
    const answers = await Promise.all([
      post('/embed', { text: 'a' }),
      post('/embeddings', { texts: ['a'], model: 'default' }),
      post('/v1/embeddings', { input: 'a', model: 'text-embedding-3-small' }),
      post('/v1/rerank', { query: 'a', documents: ['b'] }),
    ]);
    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      expect(headers.get('x-model-identity')).toBe(identity);
    }
    const { status, body } = await post('/v1/embeddings', { input: 'a', model: 'multilingual' });
    expect(status).toBe(400);
    expect(body.error.message).toContain('cortex-embeddings models pull multilingual');
    expect(await (await fetch(`${program.base}/model-info?model=quality`)).json()).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  test('reranking in the form of Cohere, Jina and TEI', async () => {
    const documents = ['The stock market fell.', 'A kitten naps on the couch.'];
    const { status, body } = await post('/v1/rerank', {
      model: 'rerank-v3.5',
      query: 'Where is the cat?',
      documents,
      top_n: 1,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      model: 'all-MiniLM-L6-v2',
      method: 'late-fusion',
      results: [{ index: 1, relevance_score: expect.any(Number) }],
    });
    expect(body.results[0]).not.toHaveProperty('document');
    const withDocuments = await post('/v1/rerank', { query: 'cat', texts: documents, return_documents: true });
    expect(withDocuments.body.results[0]!.document).toEqual({ text: documents[1] });
    const objects = await post('/v1/rerank', { query: 'cat', documents: documents.map((text) => ({ text })) });
    expect(objects.body.results).toHaveLength(2);
  });

  test('what the cache has done is in the metrics', async () => {
    const text = await (await fetch(`${program.base}/metrics`)).text();
    expect(text).toMatch(/^cortex_cache_misses_total \d+$/m);
  });

  test.each([
    ['no text', '/embed', {}, 422, 'VALIDATION_ERROR'],
    ['a blank text', '/embed', { text: '  ' }, 422, 'VALIDATION_ERROR'],
    ['no JSON', '/embed', '{"text":', 422, 'VALIDATION_ERROR'],
    ['an entry that is no text', '/embeddings', { texts: ['a', 5] }, 422, 'VALIDATION_ERROR'],
    ['no texts', '/embeddings', { texts: [] }, 422, 'VALIDATION_ERROR'],
    ['a rerank without documents', '/v1/rerank', { query: 'a' }, 422, 'VALIDATION_ERROR'],
    ['a rerank of none', '/v1/rerank', { query: 'a', documents: [] }, 422, 'VALIDATION_ERROR'],
    ['a rerank of 10,000', '/v1/rerank', { query: 'a', documents: Array(10_000).fill('a') }, 422, 'VALIDATION_ERROR'],
    ['a rerank without a query', '/v1/rerank', { query: ' ', documents: ['a'] }, 422, 'VALIDATION_ERROR'],
    ['too long a text', '/embed', { text: 'x'.repeat(9_000) }, 422, 'TEXT_TOO_LONG'],
    ['a forbidden text', '/embed', { text: 'file:///etc/passwd' }, 422, 'SECURITY_VIOLATION'],
  ])('%s is refused with its code', async (_, path, sent, status, code) => {
    const answer = await post(path, sent);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code, message: expect.any(String) } });
  });
});

test.each(['/embed', '/v1/embeddings'])('a body that is not JSON is called that at %s', async (path) => {
  const { body } = await post(path, '{"text":');
  expect(body).toMatchObject({
    error: {
      code: 'VALIDATION_ERROR',
      message: 'Invalid payload: the body is not JSON; it ends too early or holds a character too many',
    },
  });
});

describe('the OpenAI form', () => {
  test('the official client gets the same vectors as floats and as base64', async () => {
    const client = new OpenAI({ baseURL: `${program.base}/v1`, apiKey: 'any' });
    const input = ['hello world', 'good morning'];
    // By default this client asks for base64 and decodes it.
    const decoded = await client.embeddings.create({ model: 'all-MiniLM-L6-v2', input });
    const floats = await client.embeddings.create({ model: 'all-MiniLM-L6-v2', input, encoding_format: 'float' });
    expect(decoded.data).toHaveLength(2);
    expect(decoded).toMatchObject({ object: 'list', model: 'all-MiniLM-L6-v2', usage: { prompt_tokens: 8 } });
    for (const [index, { embedding }] of decoded.data.entries()) {
      expect(Array.from(embedding)).toEqual(floats.data[index]!.embedding.map(Math.fround));
    }
    const short = await client.embeddings.create({ model: 'all-MiniLM-L6-v2', input: 'hello', dimensions: 64 });
    expect(short.data[0]!.embedding).toHaveLength(64);
  });

  test('a refusal reaches the official client as its own kind of error', async () => {
    const client = new OpenAI({ baseURL: `${program.base}/v1`, apiKey: 'any', maxRetries: 0 });
    const failing = client.embeddings.create({ model: 'x', input: [''] });
    await expect(failing).rejects.toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('limits', () => {
  test('the original settings limit length and rate, and 429 says when to come back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cortex-limits-'));
    const env = { EMBED_MAX_CHARS: '12', EMBED_RATE_LIMIT_PER_MINUTE: '1', EMBED_CACHE_SIZE: '7' };
    const limited = await startHttp(['--data-dir', folder], env);
    try {
      expect(await post('/embed', { text: 'thirteen char' }, limited.base)).toMatchObject({
        status: 422,
        body: { error: { code: 'TEXT_TOO_LONG', details: { limit: 12 } } },
      });
      expect(await post('/embed', { text: 'first' }, limited.base)).toMatchObject({ status: 200 });
      const refused = await post('/embed', { text: 'second' }, limited.base);
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await post('/embed', { text: 'first' }, limited.base)).toMatchObject({ status: 200 });
      expect(await healthOf(limited.base)).toMatchObject({
        rate_limit: 1,
        cache_size: 7,
        metrics: { cache_hits: 1, cache_misses: 1, rate_limited: 1 },
      });
    } finally {
      await limited.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('under load', () => {
  test('16 clients at once all get their own vectors, none is refused and health is told meanwhile', async () => {
    const before = await healthOf(program.base);
    const clients = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        connectHttp(`${program.base}/mcp`, { era: index % 2 === 0 ? 'legacy' : 'modern' }),
      ),
    );
    const long = 'A sentence that everybody sends, about a harbour and its islands. '.repeat(20);
    const work = clients.map(async (client, index) => {
      const texts = [long, 'shared by all', `only of client ${index}`];
      const batch = await client.callTool({ name: 'embedding.batch', arguments: { texts } });
      const single = await client.callTool({ name: 'embedding.generate', arguments: { text: texts[2]! } });
      return { batch: bodyOf(batch), single: bodyOf(single) };
    });
    const health = await fetch(`${program.base}/health`);
    expect(health.status).toBe(200);
    const answers = await Promise.all(work);
    for (const { batch, single } of answers) {
      expect(batch.embeddings.slice(0, 2)).toEqual(answers[0]!.batch.embeddings.slice(0, 2));
      expect(single.embedding).toEqual(batch.embeddings[2]);
    }
    expect(new Set(answers.map(({ single }) => single.embedding.join())).size).toBe(16);
    const after = await healthOf(program.base);
    expect(after.metrics.rate_limited).toBe(before.metrics.rate_limited);
    await Promise.all(clients.map((client) => client.close()));
  });

  test('a batch reports progress up to its end, and one that is cancelled leaves the queue', async () => {
    const client = await connectHttp(`${program.base}/mcp`);
    const texts = Array.from({ length: 64 }, (_, index) => `text ${index} ${'of some length '.repeat(10)}`);
    const seen: number[] = [];
    const call = { name: 'embedding.batch', arguments: { texts } };
    await client.callTool(call, { onprogress: ({ progress }) => seen.push(progress), timeout: 120_000 });
    expect(seen.length).toBeGreaterThan(4);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const stopping = new AbortController();
    const others = Array.from({ length: 256 }, (_, index) => `${'a very long text '.repeat(60)} ${index}`);
    const cancelled = client.callTool(
      { name: 'embedding.batch', arguments: { texts: others } },
      { signal: stopping.signal, onprogress: () => stopping.abort(), timeout: 120_000 },
    );
    await expect(cancelled).rejects.toThrow();
    // 256 long texts take longer than this takes alone: the answer shows that they are no longer in the way.
    const next = await client.callTool({ name: 'embedding.generate', arguments: { text: 'and now this' } });
    expect(bodyOf(next).embedding).toHaveLength(384);
    await client.close();
  });
});

interface Body {
  embedding: number[];
  embeddings: number[][];
  error: { message: string };
  results: { index: number; document: { text: string } }[];
}

function bodyOf({ structuredContent }: { structuredContent?: unknown }): Body {
  return structuredContent as Body;
}
