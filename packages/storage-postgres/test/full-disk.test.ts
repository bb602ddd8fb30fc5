import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectionDefinition } from '@atoll-mcp/core/storage';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageDriver } from '../src/storage.ts';
import { makePostgres, nobody, type TestPostgres } from './server.ts';
import { makeSmallDisk } from './small-disk.ts';

interface Entry {
  readonly id: string;
  readonly text: string;
}
const entries: CollectionDefinition<Entry> = { name: 'entries', version: 1, fields: {} };
const SIZE_MB = 40;

let server: TestPostgres;
let disk: ReturnType<typeof makeSmallDisk>;
let admin: pg.Client;
beforeAll(async () => {
  server = await makePostgres();
  disk = makeSmallDisk(SIZE_MB);
  const place = join(disk.folder, 'tables');
  mkdirSync(place);
  if (nobody.uid) chownSync(place, nobody.uid, nobody.gid);
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE TABLESPACE small LOCATION '${place}'`);
  await admin.query('CREATE DATABASE small TABLESPACE small');
  await admin.end();
  admin = new pg.Client({ connectionString: server.url.replace(/[^/]*$/, 'small') });
  await admin.connect();
}, 180_000);
afterAll(async () => {
  await admin.end();
  await server.remove();
  disk.remove();
});

test('a full disk is told as such, loses nothing, and is over when there is room again', {
  timeout: 120_000,
}, async () => {
  const url = server.url.replace(/[^/]*$/, 'small');
  const storage = storageDriver({ url, dataDir: '', namespace: 'full' });
  const collection = storage.records.collection(entries);
  await collection.put({ id: 'first', text: 'before' });
  await admin.query('CREATE TABLE ballast (bytes bytea)');
  await admin.query('ALTER TABLE ballast ALTER COLUMN bytes SET STORAGE PLAIN');
  const fill = admin.query(
    "INSERT INTO ballast SELECT decode(repeat('ab', 4000), 'hex') FROM generate_series(1, $1 * 250)",
    [SIZE_MB - 20],
  );
  await fill;

  const stored: string[] = [];
  const error = await (async () => {
    for (let n = 0; ; n++) {
      await collection.put({ id: `e${n}`, text: noise() });
      stored.push(`e${n}`);
    }
  })().catch((fault: unknown) => fault);
  expect(error).toMatchObject({ code: 'full', message: expect.stringContaining('no room left') });
  const blob = storage.blobs.put(Buffer.alloc(8 << 20, noise()));
  await expect(blob).rejects.toMatchObject({ code: 'full' });
  expect(await collection.get('first')).toEqual({ id: 'first', text: 'before' });

  await admin.query('DROP TABLE ballast');
  await collection.put({ id: 'last', text: noise() });
  expect((await collection.getMany([...stored, 'last'])).every((entry) => entry !== undefined)).toBe(true);
  await storage.close();
});

/** Text that no compression makes small. */
const noise = () => Array.from({ length: 20_000 }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
