import { readdir } from 'node:fs/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { type Body, connect } from './open-client.ts';
import { cleanUp, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

const blobsIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    /^[0-9a-f]{64}$/.test(entry.name),
  );

test('a changed file keeps its former versions, which are read and compared but not searched', async () => {
  const { call } = await connect();
  const add = (text: string) => call('add_memory', { name: 'plan.txt', text });
  const { id, ...first } = await add('# Harbour\n\nThe pier opens in May.\n\nFees are low.\n');
  expect(first).not.toHaveProperty('version');
  expect(await add('# Harbour\n\nThe pier opens in June.\n\nFees are low.\n')).toMatchObject({ id, version: 2 });
  const { versions } = await call('list_versions', { memory_id: id });
  expect(versions).toMatchObject([
    { version: 2, current: true, name: 'plan.txt' },
    { version: 1, current: false, until: expect.any(String) },
  ]);
  expect((await call('read_memory', { memory_id: id })).text).toContain('June');
  expect((await call('read_memory', { memory_id: id, version: 2 })).text).toContain('June');
  const former = await call('read_memory', { memory_id: id, version: 1 });
  expect(former.text).toContain('May');
  expect(former.text).not.toContain('June');
  expect(
    (await call('search_memory', { query: 'May' })).results.flatMap(({ snippets }: Body) => snippets),
  ).not.toContainEqual(expect.objectContaining({ text: expect.stringContaining('May') }));
  const diff = await call('diff_versions', { memory_id: id, from: 1 });
  expect(diff).toMatchObject({ from: 1, to: 2, added: 1, removed: 1, truncated: false });
  expect(diff.diff).toContain('-The pier opens in May.\n+The pier opens in June.');
  expect((await call('diff_versions', { memory_id: id, from: 2, to: 2 })).diff).toBe('');
  expect(await call('read_memory', { memory_id: id, version: 7 })).toBe('"plan.txt" has no version 7. It has: 2, 1.');
  expect(await call('diff_versions', { memory_id: 'ds-none', from: 1 })).toContain('Memory "ds-none" does not exist');
});

test('rows of a former version of a sheet are read, and a version that cannot be read loses nothing', async () => {
  const { call } = await connect();
  const add = (text: string) => call('add_memory', { name: 'fees.csv', text });
  const { id } = await add('port,fee\nAveiro,3\nFaro,4\n');
  await add('port,fee\nAveiro,5\n');
  const rows = await call('read_memory', { memory_id: id, version: 1, rows: '2:3' });
  expect(rows.text).toBe('Aveiro\t3\nFaro\t4'.replaceAll('\t', rows.text.includes('\t') ? '\t' : ' | '));
  expect((await call('query_memory_tables', { sql: 'SELECT fee FROM fees' })).rows).toEqual([[5]]);
  expect(await add('')).toMatchObject({ id, status: 'failed', version: 3 });
  expect((await call('read_memory', { memory_id: id, version: 2 })).text).toContain('Aveiro');
});

test('no more versions are kept than asked for, and none of a memory that is removed', async () => {
  const folder = await newFolder();
  const { call, close } = await connect({ folder, flags: ['--keep-versions', '2'] });
  const add = (text: string) => call('add_memory', { name: 'plan.txt', text });
  const { id } = await add('one');
  for (const text of ['two', 'three', 'four', 'five']) await add(text);
  const { versions } = await call('list_versions', { memory_id: id });
  expect(versions.map(({ version }: Body) => version)).toEqual([5, 4, 3]);
  // An answer comes as soon as the words are searchable; the bytes of older versions go after it.
  await vi.waitFor(async () => expect(await blobsIn(folder)).toHaveLength(3), { timeout: 30_000 });
  await call('delete_memory', { memory_ids: [id] });
  await close();
  expect(await blobsIn(folder)).toEqual([]);
});

test('files with nearly the same text are named, and left alone', async () => {
  const { call } = await connect();
  const sentence = (n: number) => `Berth ${n} of the harbour takes ships of up to ${n * 10} metres in ${1900 + n}.`;
  const text = Array.from({ length: 60 }, (_, n) => sentence(n)).join('\n');
  const draft = await call('add_memory', { name: 'draft.txt', text });
  expect(draft).not.toHaveProperty('similar');
  await call('add_memory', { name: 'other.txt', text: 'Words of a letter that has nothing to do with it at all.' });
  const final = await call('add_memory', { name: 'final.txt', text: text.replace('Berth 7', 'Quay 7') });
  expect(final.similar).toEqual([{ id: draft.id, name: 'draft.txt', similarity: expect.any(Number) }]);
  expect(final.similar[0].similarity).toBeGreaterThan(0.9);
  const { similar } = await call('similar_memories', { memory_id: draft.id });
  expect(similar.map(({ id }: Body) => id)).toEqual([final.id]);
  expect((await call('list_memories')).n).toBe(3);
  expect(await call('similar_memories', { memory_id: 'ds-none' })).toContain('Memory "ds-none" does not exist');
});
