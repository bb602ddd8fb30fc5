import type { Cache, RateLimiter, SearchIndex, Storage } from '@atoll-mcp/core/storage';
import { checkName } from '../../rules/definitions.ts';
import { lazyByName } from '../../rules/lazy-by-name.ts';
import { checkIndexDefinition } from '../../rules/search-checks.ts';
import { MemoryBlobs } from './memory-blobs.ts';
import { MemoryCache } from './memory-cache.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';
import { MemoryRecords } from './memory-records.ts';
import { MemorySearch } from './memory-search.ts';

/** Everything in memory, gone with the process. For tests and trials. */
export function memoryStorage(): Storage {
  const records = new MemoryRecords();
  const blobs = new MemoryBlobs();
  const indexes = lazyByName<SearchIndex>();
  const caches = lazyByName<Cache>();
  const limiters = lazyByName<RateLimiter>();
  return {
    records,
    blobs,
    searchIndex(definition) {
      checkIndexDefinition(definition);
      return indexes.get(definition.name, () => new MemorySearch(definition));
    },
    cache(definition) {
      checkName(definition.name);
      return caches.get(definition.name, () => new MemoryCache(definition));
    },
    rateLimiter(definition) {
      checkName(definition.name);
      return limiters.get(definition.name, () => new MemoryRateLimiter(definition));
    },
    async close() {
      const all = [records, blobs, ...indexes.all(), ...caches.all(), ...limiters.all()];
      await Promise.all(all.map((store) => store.close()));
    },
  };
}
