import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type StorageSuiteOptions, useStorage } from './storage-target.ts';

/** What every BlobStore does. */
export function blobStoreSuite(name: string, options: StorageSuiteOptions): void {
  describe(`blobs in ${name}`, { timeout: 60_000 }, () => {
    const subject = useStorage(options);
    const blobs = () => subject.storage.blobs;
    const keys = async (prefix?: string) => {
      const found: string[] = [];
      for await (const { key } of blobs().list(prefix)) found.push(key);
      return found;
    };

    test('bytes come back, whole and in part', async () => {
      const bytes = randomBytes(100_000);
      const { key, sizeBytes, sha256 } = await blobs().put(bytes);
      expect(sizeBytes).toBe(100_000);
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect((await buffer(await blobs().get(key))).equals(bytes)).toBe(true);
      expect(await buffer(await blobs().get(key, { start: 10, end: 20 }))).toEqual(bytes.subarray(10, 20));
      expect(await buffer(await blobs().get(key, { start: 99_999 }))).toEqual(bytes.subarray(99_999));
      expect(Buffer.from(await blobs().readRange(key, 5, 7))).toEqual(bytes.subarray(5, 12));
      expect(await blobs().stat(key)).toMatchObject({ key, sizeBytes: 100_000 });
    });

    test('a stream of any size is stored, the empty one too', async () => {
      const parts = Array.from({ length: 40 }, () => randomBytes(65_537));
      const stored = await blobs().put(Readable.from(parts));
      expect((await buffer(await blobs().get(stored.key))).equals(Buffer.concat(parts))).toBe(true);
      const empty = await blobs().put(Readable.from([]));
      expect(await buffer(await blobs().get(empty.key))).toHaveLength(0);
      expect(await blobs().readRange(empty.key, 0, 0)).toHaveLength(0);
    });

    test('parts in memory are stored one after another, however large', async () => {
      const parts = [randomBytes(128), randomBytes(0), randomBytes(3_000_001)];
      const { key, sizeBytes, sha256 } = await blobs().put(parts);
      expect(sizeBytes).toBe(3_000_129);
      expect(sha256).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'));
      expect((await buffer(await blobs().get(key))).equals(Buffer.concat(parts))).toBe(true);
    });

    test('the same bytes have the same key and are stored once', async () => {
      const bytes = randomBytes(1_000);
      const stored = await Promise.all([blobs().put(bytes), blobs().put(Readable.from([bytes])), blobs().put(bytes)]);
      expect(new Set(stored.map(({ key }) => key)).size).toBe(1);
      expect(await keys()).toEqual([stored[0]?.key]);
    });

    test('a chosen key holds what was put there last', async () => {
      await blobs().put(Buffer.from('first'), { key: 'models/a.bin' });
      await blobs().put(Buffer.from('second, longer'), { key: 'models/a.bin' });
      expect((await buffer(await blobs().get('models/a.bin'))).toString()).toBe('second, longer');
    });

    test('a key can be made of the hash', async () => {
      const { key, sha256 } = await blobs().put(Buffer.from('x'), { key: (digest) => `tensors/${digest}.npy` });
      expect(key).toBe(`tensors/${sha256}.npy`);
      expect((await buffer(await blobs().get(key))).toString()).toBe('x');
    });

    test('keys are listed by prefix and in order', async () => {
      for (const key of ['b', 'a/2', 'a/1', 'a-b', 'a.b/c', 'ab/c/d']) await blobs().put(Buffer.from(key), { key });
      expect(await keys()).toEqual(['a-b', 'a.b/c', 'a/1', 'a/2', 'ab/c/d', 'b']);
      expect(await keys('a/')).toEqual(['a/1', 'a/2']);
      expect(await keys('ab/c')).toEqual(['ab/c/d']);
      expect(await keys('nothing')).toEqual([]);
    });

    test('delete says whether there was something', async () => {
      const { key } = await blobs().put(Buffer.from('x'));
      expect(await blobs().delete(key)).toBe(true);
      expect(await blobs().delete(key)).toBe(false);
      expect(await blobs().stat(key)).toBeUndefined();
      await expect(blobs().get(key)).rejects.toMatchObject({ code: 'not_found' });
      await expect(blobs().readRange(key, 0, 1)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('asking for more than there is fails instead of answering short', async () => {
      const { key } = await blobs().put(Buffer.from('12345'));
      await expect(blobs().readRange(key, 3, 5)).rejects.toMatchObject({ code: 'corrupt' });
      await expect(blobs().get(key, { end: 6 })).rejects.toMatchObject({ code: 'corrupt' });
      await expect(blobs().readRange(key, -1, 2)).rejects.toMatchObject({ code: 'invalid' });
    });

    test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.', '.drafts/x', 'a b', 'a\\b', 'a\u0000', 'é'])(
      'the key %j is refused',
      async (key) => {
        await expect(blobs().put(Buffer.from('x'), { key })).rejects.toMatchObject({ code: 'invalid' });
        await expect(blobs().readRange(key, 0, 1)).rejects.toMatchObject({ code: 'invalid' });
      },
    );

    test('a source that fails leaves nothing behind, and what was there before stays', async () => {
      await blobs().put(Buffer.from('before'), { key: 'a' });
      const failing = async function* () {
        yield randomBytes(100_000);
        throw new Error('the network went away');
      };
      await expect(blobs().put(failing(), { key: 'a' })).rejects.toThrow('the network went away');
      expect((await buffer(await blobs().get('a'))).toString()).toBe('before');
      expect(await keys()).toEqual(['a']);
    });

    test('a local path, where there is one, leads to the bytes', async () => {
      const { key } = await blobs().put(Buffer.from('on disk'));
      const path = await blobs().localPath?.(key);
      if (path !== undefined) expect((await readFile(path)).toString()).toBe('on disk');
      await expect(blobs().localPath?.('missing') ?? Promise.reject({ code: 'not_found' })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    test('a closed store says so', async () => {
      await blobs().close();
      await expect(blobs().put(Buffer.from('x'))).rejects.toMatchObject({ code: 'closed' });
    });

    if (options.durable) {
      test('a process that is killed in the middle of writing leaves whole blobs only', async () => {
        const children = [
          subject.start({ kind: 'put blobs', tag: 'a' }),
          subject.start({ kind: 'put blobs', tag: 'b' }),
        ];
        await Promise.all(children.map((child) => child.reached(30)));
        await Promise.all(children.map((child) => child.kill()));
        const stored = await keys();
        expect(stored).toEqual(expect.arrayContaining(children.flatMap(({ acknowledged }) => acknowledged)));
        for (const key of stored) expect(await buffer(await blobs().get(key))).toHaveLength(50_000);
      });
    }
  });
}
