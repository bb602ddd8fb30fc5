import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type Body, connect } from './open-client.ts';
import { cleanUp, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });
afterAll(cleanUp);

const WAIT = { timeout: 60_000, interval: 50 };

async function follow(docs: string, options: { lake?: string; settings?: object } = {}) {
  const folder = options.lake ?? (await newFolder());
  const folders = JSON.stringify([{ path: docs, ...options.settings }]);
  const client = await connect({ folder, flags: ['--folders', folders] });
  const names = async () => (await client.call('list_memories')).memories.map(({ name }: Body) => name).sort();
  const status = async () => (await client.call('get_memorylake_metadata')).folders[0];
  const reach = (state: string) => vi.waitFor(async () => expect((await status()).state).toBe(state), WAIT);
  const become = (expected: string[]) => vi.waitFor(async () => expect(await names()).toEqual(expected), WAIT);
  return { ...client, folder, names, status, reach, become };
}

const write = (folder: string, name: string, text: string) => writeFile(join(folder, name), text);

test('new, changed, renamed and deleted files of a folder are followed', async () => {
  const docs = await newFolder();
  await mkdir(join(docs, 'plans'));
  await write(docs, 'plans/pier.txt', 'The pier opens in May.');
  await symlink(docs, join(docs, 'loop'));
  const { call, become, reach, status } = await follow(docs, { settings: { collection: 'harbour' } });
  await become(['pier.txt']);
  await reach('in_step');
  expect(await status()).toEqual({ path: docs, collection: 'harbour', state: 'in_step', num_files: 1, num_refused: 0 });
  const [{ id, collection }] = (await call('list_memories')).memories;
  expect(collection).toBe('harbour');
  await write(docs, 'plans/pier.txt', 'The pier opens in June.');
  const text = async () => (await call('read_memory', { memory_id: id })).text;
  await vi.waitFor(async () => expect(await text()).toContain('June'), WAIT);
  expect((await call('list_versions', { memory_id: id })).versions.length).toBeGreaterThan(1);
  await mkdir(join(docs, 'new/deep'), { recursive: true });
  await write(docs, 'new/deep/fees.csv', 'port,fee\nAveiro,3\n');
  await become(['fees.csv', 'pier.txt']);
  await rename(join(docs, 'plans'), join(docs, 'kept'));
  await rename(join(docs, 'new/deep/fees.csv'), join(docs, 'prices.csv'));
  await become(['pier.txt', 'prices.csv']);
  // A file that was moved is the same memory.
  expect((await call('list_memories', { name_contains: 'pier' })).memories).toMatchObject([{ id }]);
  await rm(join(docs, 'kept'), { recursive: true });
  await become(['prices.csv']);
});

test('patterns choose, and what was added by hand is never removed', async () => {
  const docs = await newFolder();
  await mkdir(join(docs, 'old'));
  for (const name of ['a.txt', 'b.txt', 'draft-c.txt', 'old/d.txt', '.hidden.txt', 'e.csv', 'f.txt'])
    await write(docs, name, `Words of ${name}`);
  const settings = { include: ['*.txt'], exclude: ['draft-*', 'old/'] };
  const { call, become, reach } = await follow(docs, { settings });
  await become(['a.txt', 'b.txt', 'f.txt']);
  await reach('in_step');
  await call('add_memory', { name: 'a.txt', text: 'Words of a.txt' });
  await rm(join(docs, 'a.txt'));
  await rm(join(docs, 'b.txt'));
  await become(['a.txt', 'f.txt']);
});

test('a folder that is away removes nothing, and a restart reads no unchanged file', async () => {
  const docs = join(await newFolder(), 'disk');
  await mkdir(docs);
  await write(docs, 'a.txt', 'Words of a');
  await utimes(join(docs, 'a.txt'), 1_700_000_000, 1_700_000_000);
  await write(docs, 'b.txt', 'Words of b');
  const first = await follow(docs);
  await first.become(['a.txt', 'b.txt']);
  await first.reach('in_step');
  await first.close();
  await rename(docs, `${docs}-out`);
  const second = await follow(docs, { lake: first.folder });
  await second.reach('away');
  expect(await second.names()).toEqual(['a.txt', 'b.txt']);
  await second.close();
  // A disk that is not mounted leaves an empty folder.
  await mkdir(docs);
  const third = await follow(docs, { lake: first.folder });
  await third.reach('away');
  expect(await third.names()).toEqual(['a.txt', 'b.txt']);
  await third.close();
  await rm(docs, { recursive: true });
  await rename(`${docs}-out`, docs);
  await rm(join(docs, 'b.txt'));
  // Of the same size and time as before: who reads it sees other words.
  await write(docs, 'a.txt', 'Words of z');
  await utimes(join(docs, 'a.txt'), 1_700_000_000, 1_700_000_000);
  const fourth = await follow(docs, { lake: first.folder });
  await fourth.become(['a.txt']);
  await fourth.reach('in_step');
  const [{ id }] = (await fourth.call('list_memories')).memories;
  expect((await fourth.call('read_memory', { memory_id: id })).text).toBe('Words of a');
});
