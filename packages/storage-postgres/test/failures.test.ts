import type { CollectionDefinition, Storage } from '@atoll-mcp/core/storage';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageDriver } from '../src/storage.ts';
import { makeProxy } from './database-proxy.ts';
import { makePostgres, type TestPostgres } from './server.ts';

interface Entry {
  readonly id: string;
  readonly n: number;
}
const entries: CollectionDefinition<Entry> = { name: 'entries', version: 1, fields: { n: 'integer' } };

let server: TestPostgres;
beforeAll(async () => {
  server = await makePostgres({ version: '16' });
}, 180_000);
afterAll(() => server.remove());

const open = (url = server.url): Storage => storageDriver({ url, dataDir: '', namespace: 'failures' });

describe('when the server goes away', () => {
  test('a crash and a restart in the middle of writing lose nothing acknowledged, and nothing is done twice', {
    timeout: 120_000,
  }, async () => {
    const storage = open();
    const collection = storage.records.collection(entries);
    await collection.put({ id: 'counter', n: 0 });
    const acknowledged: string[] = [];
    let counted = 0;
    let isOver = false;
    const writing = (async () => {
      for (let n = 1; !isOver; n++) {
        await collection.insert({ id: `e${n}`, n });
        acknowledged.push(`e${n}`);
        await storage.records.transaction(async (transaction) => {
          const own = transaction.collection(entries);
          const counter = (await own.get('counter'))!;
          await own.put({ id: 'counter', n: counter.n + 1 });
        });
        counted += 1;
      }
    })();
    for (const mode of ['immediate', 'fast'] as const) {
      const before = counted;
      while (counted < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
      await server.stop(mode);
      await server.start();
    }
    const reached = counted;
    while (counted < reached + 20) await new Promise((resolve) => setTimeout(resolve, 5));
    isOver = true;
    await writing;
    const stored = await collection.getMany(acknowledged);
    expect(stored.every((entry) => entry !== undefined)).toBe(true);
    expect((await collection.get('counter'))?.n).toBe(counted);
    await storage.close();
  });

  test('a commit whose answer is lost is neither lost nor done twice', { timeout: 120_000 }, async () => {
    const proxy = await makeProxy(server);
    const storage = open(proxy.url);
    const collection = storage.records.collection(entries);
    // More at a time than a process has connections.
    const ids = Array.from({ length: 12 }, (_, n) => `cut${n}`);
    await collection.putMany(ids.map((id) => ({ id, n: 0 })));
    const moments = ['after', 'before', 'after'] as const;
    for (const moment of moments) {
      proxy.cutAtCommit(moment, 10);
      const addOne = (id: string) =>
        storage.records.transaction(async (transaction) => {
          const own = transaction.collection(entries);
          await own.put({ id, n: (await own.get(id))!.n + 1 });
        });
      await Promise.all(ids.map(addOne));
    }
    const counted = (await collection.getMany(ids)).map((entry) => entry?.n);
    expect(counted).toEqual(ids.map(() => moments.length));
    await storage.close();
    proxy.close();
  });

  test('one that cannot be reached, or refuses us, is named as such', { timeout: 120_000 }, async () => {
    const away = open('postgres://atoll@127.0.0.1:1/postgres');
    await expect(away.records.collection(entries).get('x')).rejects.toMatchObject({ code: 'unavailable' });
    const refused = open(
      server.url.replace('/postgres', '/no_such_database').replace('postgres:/no_such', 'postgres:/'),
    );
    await expect(refused.records.collection(entries).get('x')).rejects.toMatchObject({
      code: expect.stringMatching(/denied|unavailable/),
    });
    await Promise.all([away.close(), refused.close()]);
  });
});

test('an address with a password is in no error', { timeout: 120_000 }, async () => {
  const storage = open('postgres://atoll:hunter2@127.0.0.1:1/postgres');
  const error = await storage.records
    .collection(entries)
    .get('x')
    .catch((fault: unknown) => fault);
  expect(String(error) + JSON.stringify(error)).not.toContain('hunter2');
  await storage.close();
});

test('processes of two versions work side by side while one is upgraded', { timeout: 120_000 }, async () => {
  const older = open();
  const former = older.records.collection<Entry & { tag?: string }>({
    name: 'rolling',
    version: 1,
    fields: { n: 'integer' },
  });
  await former.put({ id: 'a', n: 1, tag: 'red' });
  const newer = open();
  const grown = newer.records.collection<Entry & { tag?: string }>({
    name: 'rolling',
    version: 2,
    fields: { n: 'integer', tag: 'text' },
  });
  expect((await grown.list({ where: { tag: 'red' } })).total).toBe(1);
  await former.put({ id: 'b', n: 2, tag: 'red' });
  expect((await grown.list({ where: { tag: 'red' } })).items.map(({ id }) => id)).toEqual(['a', 'b']);
  await Promise.all([older.close(), newer.close()]);
});

describe('blobs', () => {
  test('are there for more transactions at a time than there are connections', { timeout: 60_000 }, async () => {
    const storage = open();
    const { key } = await storage.blobs.put(Buffer.from('asked for by all'));
    const collection = storage.records.collection(entries);
    const asked = Array.from({ length: 20 }, (_, n) =>
      storage.records.transaction(async (transaction) => {
        const found = await storage.blobs.stat(key);
        const gone = await storage.blobs.delete(`nothing/${n}`);
        await transaction.collection(entries).put({ id: `blob-${n}`, n });
        return found !== undefined && !gone;
      }),
    );
    expect(await Promise.all(asked)).toEqual(asked.map(() => true));
    const stored = await collection.getMany(asked.map((_, n) => `blob-${n}`));
    expect(stored.every((entry) => entry !== undefined)).toBe(true);
    await storage.close();
  });

  test('are stored again as soon as the database can, whatever failed at first', { timeout: 60_000 }, async () => {
    const storage = open();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await storage.blobs.stat('anything');
    await client.query('ALTER TABLE atoll_failures.atoll_contents RENAME TO elsewhere');
    await expect(storage.blobs.put(Buffer.from('early'))).rejects.toThrow();
    await client.query('ALTER TABLE atoll_failures.elsewhere RENAME TO atoll_contents');
    expect(await storage.blobs.put(Buffer.from('late'))).toMatchObject({ sizeBytes: 4 });
    await client.end();
    await storage.close();
  });
});
