import { type CollectionDefinition, type Storage, StorageError } from '@atoll-mcp/core/storage';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageDriver } from '../src/storage.ts';
import { type DatabaseProxy, makeProxy } from './database-proxy.ts';
import { makePostgres, makeStandby, type TestPostgres } from './server.ts';

interface Entry {
  readonly id: string;
  readonly n: number;
}
const entries: CollectionDefinition<Entry> = { name: 'entries', version: 1, fields: { n: 'integer' } };

let primary: TestPostgres;
let standby: TestPostgres;
let proxy: DatabaseProxy;
beforeAll(async () => {
  primary = await makePostgres();
  standby = await makeStandby(primary);
  proxy = await makeProxy(primary);
}, 180_000);
afterAll(async () => {
  proxy.close();
  await Promise.all([primary.remove(), standby.remove()]);
});

test('a standby that takes over in the middle of writing has all that was acknowledged, and nothing twice', {
  timeout: 120_000,
}, async () => {
  await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
  while ((await ask(primary, 'SELECT sync_state AS answer FROM pg_stat_replication')) !== 'sync') await aWhile();
  const storages = Array.from({ length: 3 }, () =>
    storageDriver({ url: proxy.url, dataDir: '', namespace: 'failover' }),
  );
  const records = storages[0]!.records.collection(entries);
  await records.put({ id: 'counter', n: 0 });
  const counts = storages.map(() => 0);
  const acknowledged: string[] = [];
  let refused = 0;
  let isOver = false;
  const writing = storages.map(async (storage, writer) => {
    for (let n = 0; !isOver; n++) {
      const id = `${writer}-${n}`;
      if (await isAcknowledged(storage.records.collection(entries).insert({ id, n }))) acknowledged.push(id);
      if (await isAcknowledged(addOne(storage))) counts[writer]! += 1;
      else refused += 1;
    }
  });
  await everyoneCounted(counts, 10);
  await primary.stop('immediate');
  await ask(standby, 'SELECT pg_promote()');
  proxy.leadTo(standby);
  await everyoneCounted(counts, 10);
  isOver = true;
  await Promise.all(writing);
  const stored = await records.getMany(acknowledged);
  expect(stored.filter((entry) => entry === undefined)).toEqual([]);
  const added = counts.reduce((sum, count) => sum + count, 0);
  const counter = (await records.get('counter'))!.n;
  expect(counter).toBeGreaterThanOrEqual(added);
  expect(counter).toBeLessThanOrEqual(added + refused);
  for (const storage of storages) await storage.close();
});

/**
 * Whether a write was acknowledged. On a slow machine the fail-over can take longer than a store tries; what it refuses then may or may
 * not have been done.
 */
async function isAcknowledged(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof StorageError && ['unavailable', 'locked'].includes(error.code)) return false;
    throw error;
  }
}

/** Done twice or not at all, it would show in the count. */
async function addOne({ records }: Storage): Promise<void> {
  await records.transaction(async (transaction) => {
    const own = transaction.collection(entries);
    await own.put({ id: 'counter', n: (await own.get('counter'))!.n + 1 });
  });
}

async function everyoneCounted(counts: readonly number[], more: number): Promise<void> {
  const before = [...counts];
  while (counts.some((count, writer) => count < before[writer]! + more)) await aWhile();
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 10));

async function ask({ url }: TestPostgres, ...statements: string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let answer: unknown;
  for (const sql of statements) answer = (await client.query(sql)).rows[0]?.answer;
  await client.end();
  return answer;
}
