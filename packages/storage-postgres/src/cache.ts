import { type Cache, type CacheDefinition, type CacheStats, closedStore } from '@atoll-mcp/core/storage';
import { checkName } from '@atoll-mcp/storage';
import type { Pool } from './pool.ts';

/** Evicts after this share of the capacity has been written. */
const LOOK_AFTER = 1 / 16;

/** A cache that all processes share. Its table is UNLOGGED: it may be empty after a server crash. */
export class PostgresCache implements Cache {
  readonly #pool: Pool;
  readonly #definition: CacheDefinition;
  #hits = 0;
  #misses = 0;
  #written = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(pool: Pool, definition: CacheDefinition) {
    checkName(definition.name);
    this.#pool = pool;
    this.#definition = definition;
  }

  async getMany(keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    this.#refuseClosed();
    const { rows } = await this.#pool.query<{ key: string; value: Buffer }>(
      `WITH found AS (SELECT key, value FROM atoll_cache WHERE name = $1 AND key = ANY($2::text[])),
       touched AS (
         UPDATE atoll_cache SET used = now()
         WHERE name = $1 AND key = ANY($2::text[]) AND used < now() - interval '1 minute')
       SELECT key, value FROM found`,
      [this.#definition.name, keys],
    );
    const byKey = new Map(rows.map(({ key, value }) => [key, value]));
    return keys.map((key) => {
      const value = byKey.get(key);
      if (value) this.#hits += 1;
      else this.#misses += 1;
      return value && new Uint8Array(value);
    });
  }

  async setMany(entries: readonly (readonly [key: string, value: Uint8Array])[]): Promise<void> {
    this.#refuseClosed();
    // The last of two entries with one key counts; a statement may touch a row only once.
    const all = [...new Map(entries).entries()].filter(
      ([key, value]) => sizeOf(key, value) <= this.#definition.maxBytes,
    );
    if (all.length === 0) return;
    const sizes = all.map(([key, value]) => sizeOf(key, value));
    await this.#pool.query(
      `INSERT INTO atoll_cache (name, key, value, size_bytes)
       SELECT $1, key, value, size FROM unnest($2::text[], $3::bytea[], $4::int[]) AS e (key, value, size)
       ON CONFLICT (name, key) DO UPDATE SET value = excluded.value, size_bytes = excluded.size_bytes, used = now()`,
      [this.#definition.name, all.map(([key]) => key), all.map(([, value]) => Buffer.from(value)), sizes],
    );
    this.#written += sizes.reduce((sum, size) => sum + size, 0);
    if (this.#written >= this.#definition.maxBytes * LOOK_AFTER) await this.#makeRoom();
  }

  async stats(): Promise<CacheStats> {
    this.#refuseClosed();
    const { rows } = await this.#pool.query<{ entries: number; size: number }>(
      'SELECT count(*) AS entries, coalesce(sum(size_bytes), 0)::bigint AS size FROM atoll_cache WHERE name = $1',
      [this.#definition.name],
    );
    const { entries = 0, size = 0 } = rows[0] ?? {};
    return { entries, sizeBytes: size, maxBytes: this.#definition.maxBytes, hits: this.#hits, misses: this.#misses };
  }

  async clear(): Promise<void> {
    this.#refuseClosed();
    await this.#pool.query('DELETE FROM atoll_cache WHERE name = $1', [this.#definition.name]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  /** Evicts the least recently used entries until the rest fits. */
  async #makeRoom(): Promise<void> {
    await this.#pool.query(
      `DELETE FROM atoll_cache c USING (
         SELECT key, sum(size_bytes) OVER (ORDER BY used DESC, key) AS total FROM atoll_cache WHERE name = $1) old
       WHERE c.name = $1 AND c.key = old.key AND old.total > $2`,
      [this.#definition.name, this.#definition.maxBytes],
    );
    this.#written = 0;
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw closedStore('cache');
  }
}

const sizeOf = (key: string, value: Uint8Array) => Buffer.byteLength(key) + value.byteLength;
