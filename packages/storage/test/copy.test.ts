import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CollectionDefinition, Storage } from '@atoll-mcp/core/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyStorage } from '../src/copy/copy-storage.ts';
import { localContents } from '../src/copy/local-contents.ts';
import { memoryStorage } from '../src/drivers/memory/memory-storage.ts';
import { openStorage } from '../src/open-storage.ts';

interface Note {
  readonly id: string;
  readonly title: string;
  readonly more?: unknown;
}
const notes: CollectionDefinition<Note> = {
  name: 'notes',
  version: 3,
  fields: { title: 'text' },
  ignoreCase: ['title'],
  unique: [['title']],
};
const index = { name: 'words_2', dimensions: 2 };

let folder: string;
let source: Storage;
let target: Storage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-copy-'));
  source = openStorage({ dataDir: folder });
  target = memoryStorage();
  await source.records
    .collection(notes)
    .putMany(
      Array.from({ length: 450 }, (_, n) => ({ id: `n${n}`, title: `Title ${n}`, more: { z: n, a: ['𝄞', null] } })),
    );
  await source.blobs.put(Buffer.from('some bytes'));
  await source.blobs.put(Buffer.from('others'), { key: 'named/one' });
  const chunk = { terms: ['a', 'b', 'a'], vector: Float32Array.of(0.6, -0.8), payload: { page: 1 } };
  await source.searchIndex(index).upsert({ id: 'd', attributes: { type: 'pdf' }, chunks: [chunk, { terms: ['b'] }] });
});
afterEach(async () => {
  await Promise.all([source.close(), target.close()]);
  rmSync(folder, { recursive: true, force: true });
});

async function copy(options = {}) {
  const reports = [];
  for await (const report of copyStorage(source, await localContents(folder), target, options)) reports.push(report);
  return reports.map(({ part, items, written }) => `${part}: ${items}, ${written}`);
}

test('a folder tells what is in it without the program that wrote it', async () => {
  const { collections, indexes } = await localContents(folder);
  expect(collections).toEqual([{ ...notes, indexes: [] }]);
  expect(indexes).toEqual([index]);
  expect(await localContents(join(folder, 'none'))).toEqual({ collections: [], indexes: [] });
});

test('everything arrives, and a second run has nothing left to do', async () => {
  expect(await copy()).toEqual(['records of notes: 450, 450', 'blobs: 2, 2', 'index words_2: 1, 1']);
  expect(await target.records.collection(notes).get('n7')).toMatchObject({ title: 'Title 7', more: { z: 7 } });
  expect((await target.searchIndex(index).search({ terms: [{ term: 'a' }], k: 5 })).lexical).toHaveLength(1);
  expect(await copy()).toEqual(['records of notes: 450, 0', 'blobs: 2, 0', 'index words_2: 1, 0']);
});

test('a run that was cut short goes on where it was', async () => {
  const cut = new Error('cut');
  const stopAt = (done: number) => ({
    onProgress: (progress: { done: number }) => {
      if (progress.done === done) throw cut;
    },
  });
  await expect(copy(stopAt(300))).rejects.toBe(cut);
  expect(await target.records.collection(notes).count()).toBe(200);
  expect(await copy()).toEqual(['records of notes: 450, 250', 'blobs: 2, 2', 'index words_2: 1, 1']);
});

test('what differs in the target stays unless it may be replaced', async () => {
  await target.records.collection(notes).put({ id: 'n5', title: 'Changed here' });
  await expect(copy()).rejects.toMatchObject({ code: 'conflict' });
  expect((await target.records.collection(notes).get('n5'))?.title).toBe('Changed here');
  await copy({ replace: true });
  expect((await target.records.collection(notes).get('n5'))?.title).toBe('Title 5');
});

test('what the target loses or changes on the way is noticed', async () => {
  const { blobs } = target;
  const put = blobs.put.bind(blobs);
  target = {
    ...target,
    blobs: { ...blobs, ...bound(blobs), put: (_source, options) => put(Buffer.from('x'), options) },
  };
  await expect(copy()).rejects.toMatchObject({ code: 'corrupt' });
});

const bound = (blobs: Storage['blobs']) => ({
  get: blobs.get.bind(blobs),
  list: blobs.list.bind(blobs),
  stat: blobs.stat.bind(blobs),
  close: blobs.close.bind(blobs),
});
