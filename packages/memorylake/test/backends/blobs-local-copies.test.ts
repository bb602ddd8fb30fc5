import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { memoryStorage } from '@atoll-mcp/storage';
import { afterAll, expect, test } from 'vitest';
import { withLocalCopies } from '../../src/backends/blobs-local-copies.ts';
import { cleanUp, newFolder } from '../open-test-lake.ts';

afterAll(cleanUp);

test('those who ask for the same file at once share one copy', async () => {
  const storage = withLocalCopies(memoryStorage(), await newFolder());
  const bytes = Buffer.alloc(2 << 20, 'words ');
  const { key } = await storage.blobs.put(bytes);
  const paths = await Promise.all(Array.from({ length: 8 }, () => storage.blobs.localPath!(key)));
  expect(new Set(paths).size).toBe(1);
  expect((await readFile(paths[0]!)).equals(bytes)).toBe(true);
  expect(await readdir(dirname(paths[0]!))).toHaveLength(1);
});

test('a copy that failed leaves nothing behind and is tried again', async () => {
  const store = memoryStorage();
  const { key } = await store.blobs.put(Buffer.from('words'));
  let isDown = true;
  const { get } = store.blobs;
  store.blobs.get = async (...asked) => {
    if (isDown) throw new Error('the store is not there');
    return get.apply(store.blobs, asked);
  };
  const { blobs } = withLocalCopies(store, await newFolder());
  await expect(blobs.localPath!(key)).rejects.toThrow('not there');
  isDown = false;
  expect(await readFile(await blobs.localPath!(key), 'utf8')).toBe('words');
});
