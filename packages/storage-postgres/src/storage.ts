import type { Cache, RateLimiter, SearchIndex } from '@atoll-mcp/core/storage';
import { checkIndexDefinition, lazyByName, type StorageDriver } from '@atoll-mcp/storage';
import { PostgresBlobs } from './blobs.ts';
import { PostgresCache } from './cache.ts';
import { Pool } from './pool.ts';
import { PostgresRateLimiter } from './rate-limiter.ts';
import { PostgresRecords } from './records.ts';
import { S3Blobs } from './s3-blobs.ts';
import { PostgresSearch } from './search/postgres-search.ts';

/** Blobs have their own pool: services read them inside transactions, and with one pool enough of these would deadlock. */
const BLOB_CONNECTIONS = 4;

/** Everything in one database, in one schema per server; blobs in an object store if one is configured. */
export const storageDriver: StorageDriver = ({ url, namespace = 'atoll', blobUrl }) => {
  const pool = new Pool(url, namespace);
  const records = new PostgresRecords(pool);
  const blobs = blobUrl
    ? new S3Blobs(blobUrl, namespace)
    : new PostgresBlobs(new Pool(url, namespace, BLOB_CONNECTIONS));
  const indexes = lazyByName<SearchIndex>();
  const caches = lazyByName<Cache>();
  const limiters = lazyByName<RateLimiter>();
  return {
    records,
    blobs,
    searchIndex: (definition) => {
      checkIndexDefinition(definition);
      return indexes.get(definition.name, () => new PostgresSearch(pool, definition));
    },
    cache: (definition) => caches.get(definition.name, () => new PostgresCache(pool, definition)),
    rateLimiter: (definition) => limiters.get(definition.name, () => new PostgresRateLimiter(pool, definition)),
    async close() {
      await Promise.all(
        [records, blobs, ...indexes.all(), ...caches.all(), ...limiters.all()].map((store) => store.close()),
      );
      await pool.close();
    },
  };
};
