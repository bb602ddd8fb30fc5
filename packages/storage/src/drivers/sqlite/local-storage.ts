import { join } from 'node:path';
import type { Cache, RateLimiter, SearchIndex, Storage } from '@atoll-mcp/core/storage';
import { checkName } from '../../rules/definitions.ts';
import { lazyByName } from '../../rules/lazy-by-name.ts';
import { FileBlobs } from '../files/file-blobs.ts';
import { SqliteCache } from './sqlite-cache.ts';
import { SqliteRateLimiter } from './sqlite-rate-limiter.ts';
import { SqliteRecords } from './sqlite-records.ts';
import { SqliteSearch } from './sqlite-search.ts';

/** Everything in one folder: SQLite files, and blobs as files. Several processes may share it. */
export function localStorage(dataDir: string): Storage {
  const records = new SqliteRecords(join(dataDir, 'records.db'));
  const blobs = new FileBlobs(join(dataDir, 'blobs'));
  const indexes = lazyByName<SearchIndex>();
  const caches = lazyByName<Cache>();
  const limiters = lazyByName<RateLimiter>();
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
