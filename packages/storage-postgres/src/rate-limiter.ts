import {
  closedStore,
  type RateLimitAnswer,
  type RateLimiter,
  type RateLimiterDefinition,
} from '@atoll-mcp/core/storage';
import { checkName, decide, MINUTE_MS } from '@atoll-mcp/storage';
import type { Pool } from './pool.ts';

/** A limit across processes: each key is locked while it is checked, and times are the database server's. */
export class PostgresRateLimiter implements RateLimiter {
  readonly #pool: Pool;
  readonly #definition: Required<RateLimiterDefinition>;
  #sweptMs = Date.now();
  #isClosed = false;

  constructor(pool: Pool, definition: RateLimiterDefinition) {
    checkName(definition.name);
    this.#pool = pool;
    this.#definition = { windowMs: MINUTE_MS, ...definition };
  }

  async take(key: string, cost = 1): Promise<RateLimitAnswer> {
    if (this.#isClosed) throw closedStore('rate limiter');
    const { name, limit, windowMs } = this.#definition;
    await this.#sweep();
    return this.#pool.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${name}\n${key}`]);
      await client.query(
        `DELETE FROM atoll_spending WHERE name = $1 AND key = $2 AND at <= clock_timestamp() - $3 * interval '1 millisecond'`,
        [name, key, windowMs],
      );
      const { rows } = await client.query<{ at_ms: number; cost: number; now_ms: number }>(
        `SELECT extract(epoch FROM at)::float8 * 1000 AS at_ms, cost, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms
         FROM atoll_spending WHERE name = $1 AND key = $2 ORDER BY at`,
        [name, key],
      );
      const spent = rows.map(({ at_ms: atMs, cost: paid }) => ({ atMs, cost: paid }));
      const answer = decide({ spent, cost, now: rows[0]?.now_ms ?? 0, limit, windowMs });
      if (answer.allowed)
        await client.query('INSERT INTO atoll_spending VALUES ($1, $2, clock_timestamp(), $3)', [name, key, cost]);
      return answer;
    }, 'read committed');
  }

  /** Otherwise unused keys would stay forever. */
  async #sweep(): Promise<void> {
    const { name, windowMs } = this.#definition;
    if (Date.now() - this.#sweptMs < Math.max(windowMs, MINUTE_MS)) return;
    this.#sweptMs = Date.now();
    await this.#pool.query(
      "DELETE FROM atoll_spending WHERE name = $1 AND at <= clock_timestamp() - $2 * interval '1 millisecond'",
      [name, windowMs],
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}
