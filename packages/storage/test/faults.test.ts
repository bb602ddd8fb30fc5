import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Storage } from '@atoll-mcp/core/storage';
import { entries } from '@atoll-mcp/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leaveOut } from '../../../tooling/test/needs.mjs';
import { openStorage } from '../src/open-storage.ts';

let dataDir: string;
let opened: Storage[];
const open = () => {
  const storage = openStorage({ dataDir });
  opened.push(storage);
  return storage;
};

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'atoll-faults-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((storage) => storage.close()));
  rmSync(dataDir, { recursive: true, force: true });
});

const chunk = (terms: string[]) => ({ terms, vector: new Float32Array(8).fill(0.3), payload: 'x'.repeat(2_000) });

describe('a file that was cut short', { timeout: 60_000 }, () => {
  /** Enough of everything that half of a file is clearly not all of it. */
  async function fill(): Promise<string> {
    const storage = open();
    const records = Array.from({ length: 500 }, (_, n) => ({ id: `r${n}`, name: `n${n}`, note: 'x'.repeat(300) }));
    await storage.records.collection(entries).putMany(records);
    const chunks = Array.from({ length: 100 }, (_, n) => chunk([`t${n}`, 'all']));
    await storage.searchIndex({ name: 'suite', dimensions: 8 }).upsert({ id: 'd', chunks });
    const values = Array.from({ length: 200 }, (_, n) => [`k${n}`, new Uint8Array(1_000)] as const);
    await storage.cache({ name: 'suite', maxBytes: 1 << 20 }).setMany(values);
    const { key } = await storage.blobs.put(Buffer.alloc(10_000, 'b'));
    await storage.close();
    return key;
  }
  const cut = (file: string) => {
    for (const side of ['-wal', '-shm']) rmSync(join(dataDir, file + side), { force: true });
    truncateSync(join(dataDir, file), Math.floor(statSync(join(dataDir, file)).size / 2));
  };

  test('records say that their file is damaged, and everything else goes on', async () => {
    const key = await fill();
    cut('records.db');
    const storage = open();
    const reading = storage.records.collection(entries).list({ where: { name: { contains: 'n' } } });
    await expect(reading).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('records.db') });
    expect(await buffer(await storage.blobs.get(key))).toHaveLength(10_000);
    const found = await storage.searchIndex({ name: 'suite', dimensions: 8 }).search({ terms: [{ term: 't7' }], k: 1 });
    expect(found.lexical).toHaveLength(1);
  });

  test('a search index fails as damaged, never as empty', async () => {
    await fill();
    cut('search-suite.db');
    const index = open().searchIndex({ name: 'suite', dimensions: 8 });
    const searching = index.search({ terms: [{ term: 'all' }], vector: new Float32Array(8).fill(0.3), k: 100 });
    await expect(searching).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('search-suite.db'),
    });
    expect(await open().records.collection(entries).count()).toBe(500);
  });

  const replace = (file: string, text: string) => {
    for (const side of ['', '-wal', '-shm']) rmSync(join(dataDir, file + side), { force: true });
    writeFileSync(join(dataDir, file), text);
  };

  test.each<[string, () => unknown]>([
    ['cut short', () => cut('cache-suite.db')],
    ['of something else', () => replace('cache-suite.db', '{"a":'.repeat(20_000))],
    ['empty', () => replace('cache-suite.db', '')],
  ])('a cache whose file is %s begins again, and works at once', async (_, happens) => {
    await fill();
    happens();
    const cache = open().cache({ name: 'suite', maxBytes: 1 << 20 });
    const keys = Array.from({ length: 200 }, (_, n) => `k${n}`);
    const [found] = await Promise.all([cache.getMany(keys), cache.getMany(keys)]);
    expect(found).toEqual(keys.map(() => undefined));
    await cache.setMany([['k1', new Uint8Array([7])]]);
    expect(await cache.getMany(['k1'])).toEqual([new Uint8Array([7])]);
    expect(await cache.stats()).toMatchObject({ entries: 1 });
  });

  test('a file that is no database at all is not overwritten', async () => {
    writeFileSync(join(dataDir, 'records.db'), 'These are my notes, not yours. '.repeat(200));
    await expect(open().records.collection(entries).put({ id: 'a' })).rejects.toMatchObject({ code: 'corrupt' });
    expect(statSync(join(dataDir, 'records.db')).size).toBe(31 * 200);
  });

  test('a blob fails as damaged, and putting it again repairs it', async () => {
    const key = await fill();
    const { blobs } = open();
    truncateSync((await blobs.localPath?.(key)) as string, 5_000);
    await expect(blobs.get(key).then(buffer)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(blobs.readRange(key, 4_000, 2_000)).rejects.toMatchObject({ code: 'corrupt' });
    await blobs.put(Buffer.alloc(10_000, 'b'));
    expect(await buffer(await blobs.get(key))).toHaveLength(10_000);
  });

  test('a blob whose bytes changed is noticed when it is read whole', async () => {
    const key = await fill();
    const { blobs } = open();
    writeFileSync((await blobs.localPath?.(key)) as string, Buffer.alloc(10_000, 'c'));
    await expect(blobs.get(key).then(buffer)).rejects.toMatchObject({ code: 'corrupt' });
  });
});

test('a folder that can not be made is refused by name', { timeout: 60_000 }, async () => {
  writeFileSync(join(dataDir, 'file'), '');
  dataDir = join(dataDir, 'file');
  const storage = open();
  await expect(storage.records.collection(entries).put({ id: 'a' })).rejects.toMatchObject({ code: 'denied' });
  await expect(storage.blobs.put(Buffer.from('x'))).rejects.toMatchObject({ code: 'denied' });
  await expect(storage.searchIndex({ name: 'x', dimensions: 8 }).stats()).rejects.toMatchObject({ code: 'denied' });
  dataDir = join(dataDir, '..');
});

test('nothing is opened or made before it is used', { timeout: 60_000 }, async () => {
  dataDir = join(dataDir, 'later');
  const storage = open();
  storage.records.collection(entries);
  storage.searchIndex({ name: 'x', dimensions: 8 });
  storage.cache({ name: 'x', maxBytes: 1 });
  storage.rateLimiter({ name: 'x', limit: 1 });
  await storage.close();
  expect(readdirSync(join(dataDir, '..'))).toEqual([]);
  dataDir = join(dataDir, '..');
});

describe('a store whose file is no longer its own', () => {
  const file = () => join(dataDir, 'records.db');
  const anotherStore = async () => {
    const storage = openStorage({ dataDir: join(dataDir, 'other') });
    await storage.records.collection(entries).put({ id: 'theirs' });
    await storage.close();
    return join(dataDir, 'other', 'records.db');
  };

  test.each<[string, () => unknown]>([
    ['deleted', () => rmSync(file())],
    ['replaced by another store', async () => renameSync(await anotherStore(), file())],
    ['overwritten with another store', async () => copyFileSync(await anotherStore(), file())],
    ['overwritten with text', () => writeFileSync(file(), 'notes '.repeat(10_000))],
    ['replaced by an empty file', () => [rmSync(file()), writeFileSync(file(), '')]],
    ['emptied', () => truncateSync(file(), 0)],
    ['deleted with its folder', () => rmSync(dataDir, { recursive: true })],
  ])('%s refuses reads and writes, so that nothing acknowledged is lost', async (_, happens) => {
    const { records } = open();
    const collection = records.collection(entries);
    await collection.put({ id: 'a' });
    expect(await records.isThere?.()).toBe(true);
    await happens();
    expect(await records.isThere?.()).toBe(false);
    const gone = { code: 'not_found', message: expect.stringContaining('records.db is gone, or another file') };
    await expect(collection.get('a')).rejects.toMatchObject(gone);
    await expect(collection.list()).rejects.toMatchObject(gone);
    await expect(collection.put({ id: 'b' })).rejects.toMatchObject(gone);
    await expect(records.transaction((all) => all.collection(entries).put({ id: 'c' }))).rejects.toMatchObject(gone);
  });

  test('is its own again when the file is put back', async () => {
    const { records } = open();
    await records.collection(entries).put({ id: 'a' });
    renameSync(file(), `${file()}.away`);
    expect(await records.isThere?.()).toBe(false);
    renameSync(`${file()}.away`, file());
    await records.collection(entries).put({ id: 'b' });
    expect(await records.collection(entries).count()).toBe(2);
  });

  test('is still its own after checkpoints, its own and those of others', async () => {
    const [{ records }, other] = [open(), open()];
    const many = (from: number) =>
      Array.from({ length: 300 }, (_, n) => ({ id: `r${from + n}`, note: 'x'.repeat(20_000) }));
    await records.collection(entries).putMany(many(0));
    const before = statSync(file()).size;
    await other.records.collection(entries).putMany(many(300));
    await records.collection(entries).putMany(many(600));
    expect(statSync(file()).size).toBeGreaterThan(before);
    expect(await records.collection(entries).count()).toBe(900);
  });
});

test('what is kept is closed to other users', async () => {
  dataDir = join(dataDir, 'new');
  const storage = open();
  await storage.records.collection(entries).put({ id: 'a' });
  await storage.blobs.put(Buffer.from('x'));
  await storage.cache({ name: 'suite', maxBytes: 1 << 20 }).setMany([['k', new Uint8Array(1)]]);
  await storage.searchIndex({ name: 'suite', dimensions: 8 }).upsert({ id: 'd', chunks: [chunk(['t'])] });
  const made = [dataDir, ...readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name)))];
  expect(made.length).toBeGreaterThan(8);
  expect(made.filter((path) => statSync(path).mode & 0o077)).toEqual([]);
  dataDir = join(dataDir, '..');
});

// Runs everywhere: the largest file a process may write is limited, so that writes fail half way.
test('a process that may not write more says so and keeps what it has', { timeout: 60_000 }, () => {
  const program = fileURLToPath(new URL('./fixtures/fill-up.mjs', import.meta.url));
  const limited = `trap '' XFSZ; ulimit -f 800; exec "$0" "$1" "$2"`;
  const { stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath, program, dataDir], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ records: 'full', blobs: 'full', search: 'full', cache: 'full', lost: 0 });
});

test('a full disk is named, harms nothing, and works again when there is room', {
  timeout: 60_000,
}, async (context) => {
  const disk = mountSmallDisk();
  if (disk === undefined) return leaveOut(context, 'small-disk');
  dataDir = disk;
  try {
    const storage = open();
    const collection = storage.records.collection(entries);
    const acknowledged: string[] = [];
    const write = async () => {
      for (let n = 0; ; n++) {
        await collection.put({ id: `r${n}`, note: 'x'.repeat(20_000) });
        acknowledged.push(`r${n}`);
      }
    };
    await expect(write()).rejects.toMatchObject({ code: 'full', message: expect.stringContaining('Free some space') });
    await expect(storage.blobs.put(Buffer.alloc(1 << 20))).rejects.toMatchObject({ code: 'full' });
    const { items } = await collection.list({ limit: 10_000 });
    expect(items.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
    execFileSync('mount', ['-o', 'remount,size=16m', dataDir]);
    await collection.put({ id: 'later', note: 'x'.repeat(20_000) });
    await storage.blobs.put(Buffer.alloc(1 << 20));
  } finally {
    await Promise.all(opened.map((storage) => storage.close()));
    execFileSync('umount', ['--lazy', dataDir]);
  }
});

/** Undefined where this user may not mount. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}
