import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ModelStore, type PullProgress, pullModel } from '../../../src/index.ts';
import { tinyModels } from '../../_tiny-models.ts';

vi.setConfig({ testTimeout: 120_000 });

const COMMIT = 'c0ffee'.padEnd(40, '0');
const files: Record<string, Buffer> = {
  'onnx/model_quantized.onnx': tinyModels.wordPiece()['model.onnx'],
  'tokenizer.json': Buffer.from(tinyModels.wordPiece()['tokenizer.json']),
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-hub-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface HubBehaviour {
  /** Ends the connection after so many bytes of the graph, once per entry, when they have arrived in `part`. */
  cuts?: number[];
  part?: string;
  status?: number;
  token?: string;
  contents?: Record<string, Buffer>;
  etag?: string;
}

/** Speaks the hub's protocol: revisions as JSON, large files by a redirect to another host that answers ranges. */
async function startHub(behaviour: HubBehaviour = {}) {
  const seen: { path: string; range?: string; authorization?: string }[] = [];
  const note = (request: IncomingMessage) => {
    const { range, authorization } = request.headers;
    seen.push({ path: request.url!, ...(range && { range }), ...(authorization && { authorization }) });
  };
  const contents = behaviour.contents ?? files;
  const storage = await listen((request, response) => {
    note(request);
    const bytes = contents[decodeURIComponent(request.url!.slice(1))]!;
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from >= bytes.length) return response.writeHead(416).end();
    const rest = bytes.subarray(from);
    const range = from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length, ...range });
    const cut = behaviour.cuts?.shift();
    if (cut === undefined) return response.end(rest);
    response.write(rest.subarray(0, cut));
    void arrived(behaviour.part!, from + cut).then(() => response.destroy());
  });
  const hub = await listen((request, response) => {
    note(request);
    if (behaviour.status) return response.writeHead(behaviour.status).end('{}');
    if (behaviour.token && request.headers.authorization !== `Bearer ${behaviour.token}`) {
      return response.writeHead(401).end('{"error":"Invalid credentials"}');
    }
    if (request.url!.startsWith('/api/models/someone/tiny/revision/')) {
      const siblings = Object.keys(contents).map((rfilename) => ({ rfilename }));
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ sha: COMMIT, siblings }));
    }
    const path = decodeURIComponent(new RegExp(`^/someone/tiny/resolve/${COMMIT}/(.*)$`).exec(request.url!)?.[1] ?? '');
    const bytes = contents[path];
    if (!bytes) return response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end();
    if (!path.endsWith('.onnx')) return response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    const sha256 = behaviour.etag ?? createHash('sha256').update(bytes).digest('hex');
    response.writeHead(302, {
      location: `${storage}/${encodeURIComponent(path)}`,
      'x-repo-commit': COMMIT,
      'x-linked-size': bytes.length,
      'x-linked-etag': `"${sha256}"`,
    });
    response.end();
  });
  return { url: hub, storage, seen };
}

const arrived = (path: string, bytes: number) =>
  vi.waitFor(() => expect(statSync(path).size).toBe(bytes), { timeout: 60_000 });

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const newStore = async () => new ModelStore(await mkdtemp(join(folder, 'models-')));

test('a repository is got at the commit its branch stands for, with progress, and then works without the hub', async () => {
  const { url, seen } = await startHub();
  const store = await newStore();
  const steps: PullProgress[] = [];
  const model = await pullModel(store, 'someone/tiny', { hub: { url }, onProgress: (step) => steps.push(step) });
  expect(model).toMatchObject({
    name: 'tiny',
    dimensions: 4,
    source: { kind: 'hub', repository: 'someone/tiny', revision: COMMIT },
    files: { 'model.onnx': { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  });
  expect(seen[0]!.path).toBe('/api/models/someone/tiny/revision/main');
  expect(steps.some(({ doneBytes }) => doneBytes === files['onnx/model_quantized.onnx']!.length)).toBe(true);
  expect(store.find('tiny')).toEqual(model);
});

test('a download that breaks off goes on where it stopped', async () => {
  const store = await newStore();
  const { url, seen } = await startHub({ cuts: [100, 50], part: join(store.draftOf('tiny'), 'model.onnx.part') });
  await pullModel(store, 'someone/tiny', { hub: { url } });
  expect(
    seen.filter(({ path }) => path.includes('model_quantized') && !path.includes('resolve')).map(({ range }) => range),
  ).toEqual([undefined, 'bytes=100-', 'bytes=150-']);
});

test('a pull that failed altogether is continued by the next one', async () => {
  const store = await newStore();
  const broken = await startHub({
    cuts: [10, 10, 10, 10, 10],
    part: join(store.draftOf('tiny'), 'model.onnx.part'),
  });
  await expect(pullModel(store, 'someone/tiny', { hub: { url: broken.url } })).rejects.toMatchObject({
    remedy: 'Pull again: it goes on where it stopped',
  });
  const working = await startHub();
  await pullModel(store, 'someone/tiny', { hub: { url: working.url } });
  expect(working.seen.find(({ range }) => range)?.range).toBe('bytes=50-');
});

test('the token goes to the hub and to nobody else', async () => {
  const { url, seen } = await startHub({ token: 'hf_secret' });
  await pullModel(await newStore(), 'someone/tiny', { hub: { url, token: 'hf_secret' } });
  for (const { path, authorization } of seen) {
    expect(authorization).toBe(path.startsWith('/onnx') ? undefined : 'Bearer hf_secret');
  }
});

test('a file with another hash than the hub names, or than the first pull recorded, is refused', async () => {
  const wrong = await startHub({ etag: 'ab'.repeat(32) });
  await expect(pullModel(await newStore(), 'someone/tiny', { hub: { url: wrong.url } })).rejects.toThrow(
    'downloaded damaged',
  );
  const store = await newStore();
  await pullModel(store, 'someone/tiny', { hub: { url: (await startHub()).url } });
  const other = await startHub({ contents: { ...files, 'tokenizer.json': Buffer.from('{"changed":true}') } });
  await expect(pullModel(store, 'someone/tiny', { hub: { url: other.url } })).rejects.toThrow(
    /tokenizer.json has the SHA-256/,
  );
  expect(store.find('tiny')).toBeDefined();
});

test.each([
  [503, 'answered with status 503', 'goes on where it stopped'],
  [401, 'requires a token with access to someone/tiny', 'HF_TOKEN'],
  [404, 'does not have someone/tiny', 'Check its name'],
])('a hub that answers %i is told apart', async (status, message, remedy) => {
  const { url } = await startHub({ status });
  await expect(pullModel(await newStore(), 'someone/tiny', { hub: { url } })).rejects.toMatchObject({
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  });
});

test('a hub that is down, and a repository without a graph', async () => {
  await expect(
    pullModel(await newStore(), 'someone/tiny', { hub: { url: 'http://127.0.0.1:9' } }),
  ).rejects.toMatchObject({
    message: '127.0.0.1:9 cannot be reached',
    remedy: 'Check the connection, then pull again',
  });
  const { url } = await startHub({ contents: { 'tokenizer.json': Buffer.from('{}') } });
  await expect(pullModel(await newStore(), 'someone/tiny', { hub: { url } })).rejects.toThrow('holds no ONNX graph');
});

test('a name that is nothing is refused with what there is', async () => {
  await expect(pullModel(await newStore(), 'nonsense')).rejects.toMatchObject({
    message: '"nonsense" is neither a known model nor a folder',
    remedy: expect.stringContaining('multilingual'),
  });
});
