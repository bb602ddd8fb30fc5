import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createEmbedder } from '../../src/index.ts';

let endpoint: Server | undefined;

afterEach(() => {
  endpoint?.closeAllConnections();
  endpoint?.close();
});

/** An endpoint on loopback; the answer is made from what it was sent. */
async function serve(
  answer: (
    body: { input: string[] },
    request: IncomingMessage,
  ) => { status?: number; headers?: Record<string, string>; body: unknown },
) {
  endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status = 200, headers, body } = answer(JSON.parse(Buffer.concat(chunks).toString()), request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => endpoint!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1/`;
}

const open = (openaiUrl: string) =>
  createEmbedder({ backend: 'openai', openaiUrl, openaiApiKey: 'key', model: 'tiny', modelDimensions: 2 });

test('texts go to the endpoint together, with the key, and come back in their order', async () => {
  const seen: unknown[] = [];
  const url = await serve((body, request) => {
    seen.push([request.url, request.headers.authorization, body]);
    const data = body.input.map((text, index) => ({ index, embedding: [3 * text.length, 4 * text.length] }));
    return { body: { data: data.reverse() } };
  });
  const embedder = open(url);
  expect(await embedder.embed(['a', 'bb'], { normalize: false })).toEqual([
    Float32Array.of(3, 4),
    Float32Array.of(6, 8),
  ]);
  expect(await embedder.embed(['c'])).toEqual([Float32Array.of(Math.fround(0.6), Math.fround(0.8))]);
  expect(seen[0]).toEqual([
    '/v1/embeddings',
    'Bearer key',
    { model: 'tiny', input: ['a', 'bb'], encoding_format: 'float' },
  ]);
});

test('an endpoint that fails is named by its status, without its words', async () => {
  const url = await serve(() => ({ status: 503, body: { error: { message: 'secret' } } }));
  const failure = await open(url)
    .embed(['a'])
    .catch((error) => error);
  expect(failure).toMatchObject({ code: 'INTERNAL_ERROR', details: { status: 503 } });
  expect(failure.message).not.toContain('secret');
});

test('an endpoint that points elsewhere is not followed: texts and key stay where they were sent', async () => {
  const asked: unknown[] = [];
  const url = await serve((_, request) => {
    asked.push(request.url);
    return { status: 307, headers: { location: '/elsewhere' }, body: {} };
  });
  await expect(open(url).embed(['a'])).rejects.toMatchObject({ details: { reason: 'model_unavailable' } });
  expect(asked).toEqual(['/v1/embeddings']);
});

test('two vectors for one text are refused, for one of them belongs to another', async () => {
  const url = await serve(({ input }) => ({ body: { data: input.map(() => ({ index: 0, embedding: [1, 2] })) } }));
  await expect(open(url).embed(['a', 'b'])).rejects.toMatchObject({ details: { reason: 'wrong_vectors' } });
});

test.each([
  ['no list', { hello: 1 }],
  ['too few vectors', { data: [] }],
  ['another size', { data: [{ index: 0, embedding: [1, 2, 3] }] }],
])('an answer with %s is refused', async (_, body) => {
  const url = await serve(() => ({ body }));
  await expect(open(url).embed(['a'])).rejects.toMatchObject({ details: { reason: 'wrong_vectors' } });
});

test('an endpoint that is not there is an error that says what to check', async () => {
  const url = await serve(() => ({ body: {} }));
  endpoint?.close();
  await expect(open(url).embed(['a'])).rejects.toMatchObject({ message: expect.stringContaining('--openai-url') });
});

test('a model that nobody knows needs its dimensions, and any needs a name', () => {
  expect(() => createEmbedder({ backend: 'openai' })).toThrow('--model:');
  expect(() => createEmbedder({ backend: 'openai', model: 'unheard-of' })).toThrow('--model-dimensions');
  expect(createEmbedder({ backend: 'openai', model: 'text-embedding-3-small' }).dimensions).toBe(1536);
});
