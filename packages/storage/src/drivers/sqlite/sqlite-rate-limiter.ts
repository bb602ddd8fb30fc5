import type { RateLimitAnswer, RateLimiter, RateLimiterDefinition } from '@atoll-mcp/core/storage';
import { decide, MINUTE_MS } from '../../rules/sliding-window.ts';
import { LazyConnection } from './lazy-connection.ts';
import { retryWhileBusy } from './sqlite-connection.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS spending (limiter TEXT NOT NULL, key TEXT NOT NULL, at REAL NOT NULL, cost REAL NOT NULL);
  CREATE INDEX IF NOT EXISTS by_key ON spending (limiter, key, at);
  CREATE INDEX IF NOT EXISTS by_time ON spending (limiter, at);
`;

/** Limits that hold across the processes that share a folder. */
export class SqliteRateLimiter implements RateLimiter {
  readonly #connection: LazyConnection;
  readonly #definition: Required<RateLimiterDefinition>;
  readonly #now: () => number;

  constructor(path: string, definition: RateLimiterDefinition, now: () => number = Date.now) {
    this.#connection = new LazyConnection({
      path,
      what: 'rate limiter',
      durability: 'normal',
      prepare: (connection) => connection.exec(SCHEMA),
    });
    this.#definition = { windowMs: MINUTE_MS, ...definition };
    this.#now = now;
  }

  async take(key: string, cost = 1): Promise<RateLimitAnswer> {
    const connection = await this.#connection.get();
    const { name, limit, windowMs } = this.#definition;
    return retryWhileBusy(() =>
      connection.atomically(() => {
        const now = this.#now();
        // Whatever has left the window goes, of every key: clients that never come back leave nothing behind.
        connection.run('DELETE FROM spending WHERE limiter = ? AND at <= ?', name, now - windowMs);
        const rows = connection.all(
          'SELECT at, cost FROM spending WHERE limiter = ? AND key = ? ORDER BY at',
          name,
          key,
        );
        const spent = rows.map((row) => ({ atMs: Number(row.at), cost: Number(row.cost) }));
        const answer = decide({ spent, cost, now, limit, windowMs });
        if (answer.allowed && cost > 0)
          connection.run('INSERT INTO spending VALUES (?, ?, ?, ?)', name, key, now, cost);
        return answer;
      }),
    );
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
