import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore, Storage } from '@atoll-mcp/core/storage';
import type { LakeStorage, LocalBlobStore } from './interface.ts';

/** A storage whose blobs are readable as local files: remote ones are copied once. */
export function withLocalCopies(storage: Storage, folder: string): LakeStorage {
  const { blobs } = storage;
  if (hasLocalPaths(blobs)) return withBlobs(storage, blobs);
  const pathOf = (key: string) => join(folder, ...key.split('/'));
  const underWay = new Map<string, Promise<string>>();
  const copy = async (key: string): Promise<string> => {
    const path = pathOf(key);
    if (await isThere(path)) return path;
    // Another process may copy the same blob into the same folder.
    const unfinished = `${path}.${randomUUID()}.part`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await pipeline(await blobs.get(key), createWriteStream(unfinished, { mode: 0o600 }));
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return path;
  };
  const copying: LocalBlobStore = {
    put: (source, options) => blobs.put(source, options),
    get: (key, range) => blobs.get(key, range),
    readRange: (key, start, length) => blobs.readRange(key, start, length),
    stat: (key) => blobs.stat(key),
    list: (prefix) => blobs.list(prefix),
    close: () => blobs.close(),
    async delete(key) {
      await rm(pathOf(key), { force: true });
      return blobs.delete(key);
    },
    localPath(key) {
      const copying = underWay.get(key) ?? copy(key).finally(() => underWay.delete(key));
      underWay.set(key, copying);
      return copying;
    },
  };
  return withBlobs(storage, copying);
}

const hasLocalPaths = (blobs: BlobStore): blobs is LocalBlobStore => blobs.localPath !== undefined;

const withBlobs = (storage: Storage, blobs: LocalBlobStore): LakeStorage => ({
  records: storage.records,
  blobs,
  searchIndex: (definition) => storage.searchIndex(definition),
  cache: (definition) => storage.cache(definition),
  rateLimiter: (definition) => storage.rateLimiter(definition),
  close: () => storage.close(),
});

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
