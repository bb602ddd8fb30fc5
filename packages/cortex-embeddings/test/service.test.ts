import { memoryStorage } from '@atoll-mcp/storage';
import { describe, expect, test, vi } from 'vitest';
import { CortexTools, EmbeddingService, type EmbeddingServiceOptions, type ToolFailure } from '../src/index.ts';

/** A service on a generator that notes what it was asked; a vector tells the length of its text. */
function setUp(options: Partial<EmbeddingServiceOptions> = {}) {
  const asked: string[][] = [];
  const service = new EmbeddingService({
    generator: {
      generate: (texts) => {
        asked.push([...texts]);
        return texts.map((text) => [text.length, 3, 4, 0]);
      },
      dimensions: 4,
    },
    ...options,
  });
  return { asked, service, tools: new CortexTools(service) };
}

/** What a tool answered, when it is not a failure. */
function succeeded<Result extends object>(result: Result | ToolFailure): Result {
  if ('code' in result) throw new Error(result.message);
  return result;
}

const limitedTo = (perMinute: number, windowMs = 60_000) => ({
  perMinute,
  limiter: memoryStorage().rateLimiter({ name: 'test', limit: perMinute, windowMs }),
});

describe('the cache', () => {
  test('blanks at the ends do not make another text, and a known text is not computed again', async () => {
    const { asked, tools } = setUp();
    await tools.embeddingGenerate({ text: '  hello \n' });
    expect(await tools.embeddingGenerate({ text: 'hello' })).toMatchObject({
      metadata: { cached: true, source: 'cache' },
    });
    expect(asked).toEqual([['hello']]);
  });

  test('a batch asks only for what is not known, once per distinct text, and keeps the order', async () => {
    const { asked, service, tools } = setUp();
    await tools.embeddingGenerate({ text: 'a', normalize: false });
    const answer = await tools.embeddingBatch({ texts: ['bbb', 'a', 'cc', 'bbb'], normalize: false });
    expect(asked).toEqual([['a'], ['bbb', 'cc']]);
    expect(answer).toMatchObject({
      embeddings: [
        [3, 3, 4, 0],
        [1, 3, 4, 0],
        [2, 3, 4, 0],
        [3, 3, 4, 0],
      ],
      metadata: { count: 4, cached_hits: 1, source: 'mixed' },
    });
    expect(service.counters).toEqual({ cacheHits: 1, cacheMisses: 3, rateLimited: 0 });
  });

  test('normalized vectors and others are kept apart, and both are what they say', async () => {
    const { tools } = setUp();
    const unit = await tools.embeddingGenerate({ text: '' + '123456789012' });
    const raw = await tools.embeddingGenerate({ text: '123456789012', normalize: false });
    expect(raw).toMatchObject({ embedding: [12, 3, 4, 0], metadata: { cached: false } });
    expect(unit).toMatchObject({
      embedding: [expect.closeTo(12 / 13), expect.closeTo(3 / 13), expect.closeTo(4 / 13), 0],
    });
  });

  test('who changes a vector changes only their own copy', async () => {
    const { service } = setUp();
    const first = await service.generate('abc');
    const expected = first.vector.slice();
    first.vector.fill(0);
    expect((await service.generate('abc')).vector).toEqual(expected);
  });

  test('the least recently used vector goes first', async () => {
    const { asked, service } = setUp({ cacheSize: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await service.generate(text);
    expect(asked.flat()).toEqual(['a', 'b', 'c', 'b']);
  });

  test('a vector survives in a durable cache, with the time it was computed', async () => {
    const durableCache = memoryStorage().cache({ name: 'vectors', maxBytes: 1_000_000 });
    const first = setUp({ durableCache, now: () => Date.UTC(2026, 0, 1) });
    await first.service.generate('hello');
    await first.service.close();
    const second = setUp({ durableCache });
    const embedding = await second.service.generate('hello');
    expect(second.asked).toEqual([]);
    expect(embedding).toMatchObject({ cached: true, generatedAt: new Date(Date.UTC(2026, 0, 1)) });
    expect(second.service.counters).toEqual({ cacheHits: 1, cacheMisses: 0, rateLimited: 0 });
  });

  test('a durable cache that fails costs time, not answers', async () => {
    const durableCache = memoryStorage().cache({ name: 'vectors', maxBytes: 1_000_000 });
    await durableCache.close();
    const { service } = setUp({ durableCache });
    expect(await service.generate('hello')).toMatchObject({ cached: false });
  });
});

describe('what is refused', () => {
  test.each([
    ['a blank text', { text: ' \n\t' }, 'VALIDATION_ERROR'],
    ['a text that is no string', { text: 7 as never }, 'VALIDATION_ERROR'],
    ['no text at all', {} as never, 'VALIDATION_ERROR'],
    ['a link to a file', { text: 'see file:///etc/passwd' }, 'SECURITY_VIOLATION'],
    ['a script', { text: 'Hello <SCRIPT>alert(1)</script>' }, 'SECURITY_VIOLATION'],
    ['a way out of a folder', { text: '../../etc/passwd' }, 'SECURITY_VIOLATION'],
    ['a template', { text: 'Hello $' + '{name}' }, 'SECURITY_VIOLATION'],
    ['a system call', { text: 'os.system("ls")' }, 'SECURITY_VIOLATION'],
    ['a control character', { text: 'a\u0000b' }, 'SECURITY_VIOLATION'],
    ['a text that is too long', { text: 'x'.repeat(8_193) }, 'TEXT_TOO_LONG'],
    ['more dimensions than there are', { text: 'x', dimensions: 5 }, 'VALIDATION_ERROR'],
    ['no dimensions', { text: 'x', dimensions: 0 }, 'VALIDATION_ERROR'],
  ])('%s', async (_, args, code) => {
    const { asked, service, tools } = setUp();
    expect(await tools.embeddingGenerate(args)).toMatchObject({ code, message: expect.stringMatching(/\w+ \w+/) });
    expect(asked).toEqual([]);
    expect(service.counters).toEqual({ cacheHits: 0, cacheMisses: 0, rateLimited: 0 });
  });

  test.each(['Wait... what?', 'Use `code` here', 'a.b..c', 'tab\tand\r\nline', '100 % safe <b>', '😀'.repeat(8_192)])(
    'but not %j',
    async (text) => {
      expect(await setUp().tools.embeddingGenerate({ text })).toHaveProperty('embedding');
    },
  );

  test('the strict policy also refuses two dots and backticks, and none at all can be chosen', async () => {
    const strict = setUp({ limits: { securityPolicy: 'strict' } });
    const off = setUp({ limits: { securityPolicy: 'off' } });
    for (const text of ['Wait...', 'a `b`', '<script>']) {
      expect(await strict.tools.embeddingGenerate({ text })).toMatchObject({ code: 'SECURITY_VIOLATION' });
      expect(await off.tools.embeddingGenerate({ text })).toHaveProperty('embedding');
    }
  });

  test('a bad text in a batch is named by its index and nothing is computed', async () => {
    const { asked, tools } = setUp();
    const texts = ['fine', 'also fine', ' '];
    expect(await tools.embeddingBatch({ texts })).toMatchObject({ code: 'VALIDATION_ERROR', details: { index: 2 } });
    expect(await tools.embeddingBatch({ texts: ['fine', 3 as never] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^Invalid payload/),
      details: { index: 1, errors: [{ path: 'texts.1' }] },
    });
    expect(asked).toEqual([]);
  });

  test('a batch that is empty, too long or too large', async () => {
    const { tools } = setUp({ limits: { maxBatchSize: 2, maxTotalChars: 10 } });
    expect(await tools.embeddingBatch({ texts: [] })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await tools.embeddingBatch({ texts: ['a', 'b', 'c'] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { count: 3, limit: 2 },
    });
    expect(await tools.embeddingBatch({ texts: ['123456', '12345'] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { characters: 11, limit: 10 },
    });
  });
});

describe('the rate limit', () => {
  test('refuses what comes too fast, says when to come back, and lets it in then', async () => {
    const { service, tools } = setUp({ rateLimit: limitedTo(1, 300) });
    expect(await tools.embeddingGenerate({ text: 'first' })).toHaveProperty('embedding');
    const refused = await tools.embeddingGenerate({ text: 'second' });
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 1, retry_after_ms: expect.any(Number) } });
    expect(service.counters).toEqual({ cacheHits: 0, cacheMisses: 1, rateLimited: 1 });
    await vi.waitFor(
      async () => expect(await tools.embeddingGenerate({ text: 'second' })).toHaveProperty('embedding'),
      {
        timeout: 20_000,
      },
    );
  });

  test('known texts cost nothing and a batch costs one', async () => {
    const { tools } = setUp({ rateLimit: limitedTo(2) });
    await tools.embeddingBatch({ texts: ['a', 'b', 'c'] });
    for (const text of ['a', 'b', 'c']) expect(await tools.embeddingGenerate({ text })).toHaveProperty('embedding');
    expect(await tools.embeddingGenerate({ text: 'd' })).toHaveProperty('embedding');
    expect(await tools.embeddingGenerate({ text: 'e' })).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await tools.healthStatus()).toMatchObject({ rate_limit: 2, metrics: { rate_limited: 1 } });
  });

  test('clients have limits of their own', async () => {
    const { service } = setUp({ rateLimit: limitedTo(1) });
    await service.generate('a', {}, { client: { id: 'one' } });
    await expect(service.generate('b', {}, { client: { id: 'one' } })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(service.generate('b', {}, { client: { id: 'two' } })).resolves.toMatchObject({ cached: false });
  });
});

describe('left out, the rate limit', () => {
  test('is 120 requests a minute for a client', async () => {
    const { service, tools } = setUp();
    for (let n = 0; n < 120; n++)
      expect(await tools.embeddingGenerate({ text: `text ${n}` })).toHaveProperty('embedding');
    expect(await tools.embeddingGenerate({ text: 'one more' })).toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 120, retry_after_ms: expect.any(Number) },
    });
    expect(await tools.healthStatus()).toMatchObject({ rate_limit: 120 });
    expect(service.counters).toEqual({ cacheHits: 0, cacheMisses: 120, rateLimited: 1 });
  });

  test('is not applied when it is set to 0', async () => {
    const { tools } = setUp({ rateLimit: limitedTo(0) });
    for (let n = 0; n < 130; n++)
      expect(await tools.embeddingGenerate({ text: `text ${n}` })).toHaveProperty('embedding');
  });
});

describe('under load', () => {
  test('a full queue is answered at once with a time to come back', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { service, tools } = setUp({
      maxQueuedTexts: 3,
      generator: async (texts) => {
        await held;
        return texts.map(() => [1]);
      },
    });
    const first = service.batch(['a', 'b']);
    await vi.waitFor(() => expect(service.embedder.pending).toBe(2));
    expect(await tools.embeddingBatch({ texts: ['c', 'd'] })).toMatchObject({
      code: 'RATE_LIMITED',
      details: { waiting: 2, queue_limit: 3, retry_after_ms: expect.any(Number) },
    });
    const third = service.generate('c');
    release();
    expect(await Promise.all([first, third])).toHaveLength(2);
  });

  test('equal texts of several callers at once are computed once', async () => {
    const { asked, service } = setUp();
    const embeddings = await Promise.all(Array.from({ length: 16 }, () => service.generate('same')));
    expect(asked).toEqual([['same']]);
    expect(new Set(embeddings.map(({ vector }) => vector.join())).size).toBe(1);
  });

  test('24 equal texts at once are one miss and 23 hits, and cost one request', async () => {
    const { asked, service } = setUp({ rateLimit: limitedTo(1) });
    const embeddings = await Promise.all(Array.from({ length: 24 }, () => service.generate('same')));
    expect(asked).toEqual([['same']]);
    expect(service.counters).toEqual({ cacheHits: 23, cacheMisses: 1, rateLimited: 0 });
    expect(embeddings.filter(({ cached }) => cached)).toHaveLength(23);
  });

  test('a text that was refused to one client is still computed for another that asked at the same time', async () => {
    const { asked, service } = setUp({ rateLimit: limitedTo(1) });
    await service.generate('first', {}, { client: { id: 'one' } });
    const answers = await Promise.allSettled([
      service.generate('same', {}, { client: { id: 'one' } }),
      service.generate('same', {}, { client: { id: 'two' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(asked).toEqual([['first'], ['same']]);
    expect(service.counters).toEqual({ cacheHits: 0, cacheMisses: 2, rateLimited: 1 });
  });

  test('a caller that goes away does not take the text from the one that shares it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { service } = setUp({
      generator: async (texts) => {
        await held;
        return texts.map(() => [1]);
      },
    });
    const leaving = new AbortController();
    const first = service.generate('same', {}, { signal: leaving.signal });
    await vi.waitFor(() => expect(service.embedder.pending).toBe(1));
    const second = service.generate('same');
    await vi.waitFor(() => expect(service.counters.cacheHits).toBe(1));
    leaving.abort();
    await expect(first).rejects.toMatchObject({ message: 'The call was cancelled' });
    release();
    expect(await second).toMatchObject({ cached: true });
  });
});

describe('options', () => {
  test('fewer dimensions are cut and scaled again, unless the vector was not scaled', async () => {
    const { tools } = setUp();
    const cut = succeeded(await tools.embeddingGenerate({ text: '123456', dimensions: 2 }));
    expect(cut).toMatchObject({ metadata: { dimensions: 2 } });
    expect(Math.hypot(...cut.embedding)).toBeCloseTo(1, 6);
    const raw = await tools.embeddingGenerate({ text: '123456', dimensions: 2, normalize: false });
    expect(raw).toMatchObject({ embedding: [6, 3] });
  });

  test('base64 holds the same float32 values, and int8 comes with its scale', async () => {
    const { tools } = setUp();
    const asFloats = succeeded(await tools.embeddingGenerate({ text: 'abc' })).embedding;
    const asBase64 = succeeded(await tools.embeddingGenerate({ text: 'abc', encoding: 'base64' }));
    const bytes = Buffer.from(asBase64.embedding, 'base64');
    expect(asFloats.map(Math.fround)).toEqual(asFloats.map((_, index) => bytes.readFloatLE(index * 4)));
    const asInt8 = succeeded(await tools.embeddingGenerate({ text: 'abc', encoding: 'int8' }));
    const { scale = 0 } = asInt8.metadata;
    for (const [index, value] of asInt8.embedding.entries()) {
      expect(Number.isInteger(value) && Math.abs(value) <= 127).toBe(true);
      expect(value * scale).toBeCloseTo(asFloats[index]!, 2);
    }
    const batch = await tools.embeddingBatch({ texts: ['abc', 'd'], encoding: 'int8' });
    expect(batch).toMatchObject({ metadata: { encoding: 'int8', scales: [scale, expect.any(Number)] } });
  });

  test('similarity scores in the order of the texts and ranks the nearest first', async () => {
    const { tools } = setUp();
    const texts = ['a much longer text', 'four', 'fives'];
    const answer = succeeded(await tools.embeddingSimilarity({ query: 'four', texts }));
    expect(answer).toMatchObject({ ranking: [1, 2, 0], metadata: { count: 3 } });
    expect(answer.scores[1]).toBeCloseTo(1, 6);
  });

  test('a generator that cannot count tokens says so', async () => {
    expect(await setUp().tools.embeddingTokens({ texts: ['a'] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('generator'),
    });
  });
});

describe('a generator that fails', () => {
  test('is answered with its own message, and health says so until it works again', async () => {
    let isBroken = true;
    const { tools } = setUp({
      generator: (texts) => {
        if (isBroken) throw new Error('the GPU is on fire');
        return texts.map(() => [1]);
      },
    });
    const answer = await tools.embeddingGenerate({ text: 'a' });
    expect(answer).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'The generator failed: the GPU is on fire',
      details: { reason: 'generator_failed' },
    });
    expect(await tools.healthStatus()).toMatchObject({ status: 'degraded' });
    isBroken = false;
    expect(await tools.embeddingGenerate({ text: 'a' })).toHaveProperty('embedding');
    expect(await tools.healthStatus()).toMatchObject({ status: 'healthy' });
  });

  test.each([
    ['too few vectors', () => []],
    ['vectors of another size', () => [[1, 2, 3]]],
    ['values that are no numbers', () => [[Number.NaN, 0, 0, 0]]],
  ])('%s are refused, not passed on', async (_, generate) => {
    const { tools } = setUp({ generator: { generate, dimensions: 4 } });
    expect(await tools.embeddingGenerate({ text: 'a' })).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { reason: 'wrong_vectors' },
    });
  });
});

test('a cancelled call takes its texts out of the queue and its generator is told', async () => {
  let told: AbortSignal | undefined;
  const { service } = setUp({
    generator: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        told = signal;
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  const cancelling = new AbortController();
  const call = service.generate('a', {}, { signal: cancelling.signal });
  await vi.waitFor(() => expect(told).toBeDefined());
  cancelling.abort();
  await expect(call).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'The call was cancelled' });
  expect(told?.aborted).toBe(true);
  expect(service.embedder.pending).toBe(0);
});
