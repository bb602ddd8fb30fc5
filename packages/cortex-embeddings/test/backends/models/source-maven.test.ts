import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fetchFromMaven } from '../../../src/backends/models/source-maven.ts';
import { zip } from '../../_zip.ts';

const archive = zip([
  ['META-INF/MANIFEST.MF', Buffer.from('Manifest-Version: 1.0\n'), 0],
  ['tiny.onnx', Buffer.from('a graph'.repeat(100)), 8],
  ['tiny-tokenizer.json', Buffer.from('{}'), 0],
]);
const sha256 = createHash('sha256').update(archive).digest('hex');
const source = { kind: 'maven', package: 'org.example.models:tiny', version: '1.2', sha256 } as const;
const files = [
  { name: 'model.onnx', path: 'tiny.onnx' },
  { name: 'tokenizer.json', path: 'tiny-tokenizer.json' },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-maven-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Serves an archive as Maven Central does. */
async function startRepository(bytes: Buffer) {
  const server = createServer((request, response) => {
    if (request.url !== '/maven2/org/example/models/tiny/1.2/tiny-1.2.jar') return response.writeHead(404).end();
    return response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function pull(url: string, pulled: Parameters<typeof fetchFromMaven>[0] = source) {
  const draft = await mkdtemp(join(folder, 'draft-'));
  await mkdir(draft, { recursive: true });
  const from = await fetchFromMaven(pulled, url)({ name: 'tiny', files, sizeBytes: 0 }, draft, {
    onProgress: () => {},
  });
  return { draft, from };
}

test('the wanted files of an archive are kept, and nothing else', async () => {
  const { draft, from } = await pull(await startRepository(archive));
  expect(from).toEqual(source);
  expect((await readdir(draft)).sort()).toEqual(['model.onnx', 'tokenizer.json']);
  expect(await readFile(join(draft, 'model.onnx'), 'utf8')).toBe('a graph'.repeat(100));
});

test('an archive with another hash is refused before anything is taken out of it', async () => {
  await expect(pull(await startRepository(Buffer.concat([archive, Buffer.from('!')])))).rejects.toMatchObject({
    message: 'The archive tiny 1.2 does not have the hash that is known here',
    remedy: expect.stringContaining('Do not use it'),
  });
});

test('a repository without the archive, and one that is down', async () => {
  const url = await startRepository(archive);
  await expect(pull(url, { ...source, version: '9' })).rejects.toThrow(
    'does not have maven2/org/example/models/tiny/9',
  );
  await expect(pull('http://127.0.0.1:9')).rejects.toThrow('127.0.0.1:9 cannot be reached');
});
