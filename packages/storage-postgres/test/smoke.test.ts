import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageDriver } from '../src/storage.ts';
import { makePostgres, type TestPostgres } from './server.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await makePostgres();
}, 120_000);
afterAll(() => server.remove());

test('all', async () => {
  const s = storageDriver({ url: server.url, dataDir: '/nowhere', namespace: 'notes' });
  interface N {
    id: string;
    name: string;
    n: number | null;
  }
  const c = s.records.collection<N>({
    name: 'notes',
    version: 1,
    fields: { name: 'text', n: 'integer' },
    ignoreCase: ['name'],
    unique: [['name', 'n']],
  });
  await c.put({ id: 'a', name: 'Ärger\u0000'.replace('\u0000', ''), n: 1 });
  await c.put({ id: 'b', name: 'b', n: null });
  await expect(c.put({ id: 'c', name: 'Ärger', n: 1 })).rejects.toMatchObject({ code: 'conflict' });
  expect(await c.list({ where: { name: { contains: 'ärg', ignoreCase: true } } })).toMatchObject({ total: 1 });
  expect((await c.list({ order: [{ field: 'n' }] })).items.map(({ id }) => id)).toEqual(['b', 'a']);
  const r = await s.records.transaction(async (t) => {
    const x = t.collection<N>({
      name: 'notes',
      version: 1,
      fields: { name: 'text', n: 'integer' },
      ignoreCase: ['name'],
      unique: [['name', 'n']],
    });
    await expect(x.insert({ id: 'a', name: 'z', n: 3 })).rejects.toMatchObject({ code: 'conflict' });
    await x.insert({ id: 'q', name: 'z', n: 3 });
    return x.count();
  });
  expect(r).toBe(3);
  const b = await s.blobs.put(new Uint8Array(3_000_000).fill(7));
  expect((await s.blobs.readRange(b.key, 1_048_570, 20)).every((v) => v === 7)).toBe(true);
  const ix = s.searchIndex({ name: 'docs', dimensions: 4 });
  await ix.upsert({
    id: 'd1',
    chunks: [
      { terms: ['cat', 'dog'], vector: Float32Array.of(1, 0, 0, 0), payload: { p: 1 } },
      { terms: ['cat'], vector: Float32Array.of(0, 1, 0, 0) },
    ],
  });
  const found = await ix.search({ terms: [{ term: 'dog' }], vector: Float32Array.of(1, 0, 0, 0), k: 2 });
  expect(found.lexical).toMatchObject([{ documentId: 'd1', chunk: 0 }]);
  expect(found.vector[0]).toMatchObject({ chunk: 0, score: 1 });
  const cache = s.cache({ name: 'c', maxBytes: 100 });
  await cache.setMany([['k', Uint8Array.of(1)]]);
  expect(await cache.getMany(['k', 'x'])).toEqual([Uint8Array.of(1), undefined]);
  const l = s.rateLimiter({ name: 'l', limit: 1 });
  expect((await l.take('a')).allowed).toBe(true);
  expect((await l.take('a')).allowed).toBe(false);
  await s.close();
}, 60_000);
