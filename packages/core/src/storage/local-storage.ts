import { join } from 'node:path';
import { checkName } from './definitions.ts';
import { FileBlobs } from './file-blobs.ts';
import type { Cache, RateLimiter, SearchIndex, Storage } from './interface.ts';
import { once } from './once.ts';
import { SqliteCache } from './sqlite-cache.ts';
import { SqliteRateLimiter } from './sqlite-rate-limiter.ts';
import { SqliteRecords } from './sqlite-records.ts';
import { SqliteSearch } from './sqlite-search.ts';

/** Everything in one folder: SQLite files, and blobs as files. Several processes may share it. */
export function localStorage(dataDir: string): Storage {
  const records = new SqliteRecords(join(dataDir, 'records.db'));
  const blobs = new FileBlobs(join(dataDir, 'blobs'));
  const indexes = once<SearchIndex>();
  const caches = once<Cache>();
  const limiters = once<RateLimiter>();
  const path = (kind: string, name: string) => {
    checkName(name);
    return join(dataDir, `${kind}-${name}.db`);
  };
  return {
    records,
    blobs,
    searchIndex: (definition) =>
      indexes.get(definition.name, () => new SqliteSearch(path('search', definition.name), definition)),
    cache: (definition) =>
      caches.get(definition.name, () => new SqliteCache(path('cache', definition.name), definition)),
    rateLimiter: (definition) =>
      limiters.get(definition.name, () => new SqliteRateLimiter(path('limits', definition.name), definition)),
    async close() {
      const all = [records, blobs, ...indexes.all(), ...caches.all(), ...limiters.all()];
      await Promise.all(all.map((store) => store.close()));
    },
  };
}
