import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedStore, StorageError } from '@atoll-mcp/core/storage';
import pg from 'pg';
import { MIGRATIONS, migrate } from './migrate.ts';
import { USUAL_WIDTH } from './search/sql.ts';

/** Text in, rows out: the part of a pool and of a client that we use. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>>;
}

/** Attempts while the server is unreachable, and on serialization conflicts. */
const ATTEMPTS = { lost: 7, contended: 20 };

/** Old transaction markers are deleted after this many transactions. */
const COMMITS_TO_SWEEP = 1_000;

type Isolation = 'serializable' | 'read committed';

/** Whole numbers come as numbers, not as text: ours stay below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** The connections of one process. The schema is migrated before the first query. */
export class Pool {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  readonly #options: pg.ClientConfig;
  #ready: Promise<void> | undefined;
  #commits = 0;
  #isClosed = false;

  constructor(url: string, namespace: string, connections = 10) {
    const schema = `atoll_${namespace.replaceAll(/[^a-z0-9]+/gi, '_').toLowerCase()}`;
    this.#schema = schema;
    this.#options = {
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      types: types as never,
      // Acknowledged writes are on disk, whatever the server's default (synchronous_commit). JIT compilation takes longer than our queries.
      options: `-c search_path=${schema},public -c synchronous_commit=on -c jit=off -c hnsw.ef_search=${USUAL_WIDTH}`,
    };
    this.#pool = new pg.Pool({ ...this.#options, max: connections });
    // A broken connection fails its current statement; an idle one is just removed from the pool.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * A statement that is safe to resend after a lost response: a read, or an idempotent write.
   * One with a name is planned once for each connection; a name stands for one text.
   */
  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<pg.QueryResult<Row>> {
    return this.#retry(() => this.#pool.query<Row>({ text, values: values as unknown[], ...(name && { name }) }));
  }

  /** Work that sees and changes the database as if alone. It may run more than once; only one run is kept. */
  async transaction<T>(work: (client: Queryable) => Promise<T>, isolation: Isolation = 'serializable'): Promise<T> {
    return this.#retry(async (tried) => {
      const client = await this.#pool.connect();
      // After a conflict the retry takes a lock first, so that it does not conflict again.
      const turn = isolation === 'serializable' && tried > 1;
      let broken: Error | undefined;
      try {
        if (turn) await client.query('SELECT pg_advisory_lock(hashtextextended($1, 2))', [this.#schema]);
        return await this.#whole(client, work, isolation);
      } finally {
        if (turn) {
          await client
            .query('SELECT pg_advisory_unlock(hashtextextended($1, 2))', [this.#schema])
            .catch((lost: Error) => {
              broken = lost;
            });
        }
        client.release(broken);
      }
    });
  }

  /** A transaction on its own connection, for set-up inside another transaction: the pool may be exhausted by callers that wait for it. */
  async aside<T>(work: (client: Queryable) => Promise<T>): Promise<T> {
    return this.#retry(() => this.#apart((client) => this.#whole(client, work, 'read committed')));
  }

  /** A connection of its own, for statements that cannot be in a transaction. They are not tried again. */
  alone<T>(use: (client: Queryable) => Promise<T>): Promise<T> {
    return this.#apart((client) => use(client as Queryable));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }

  async #whole<T>(client: pg.ClientBase, work: (client: Queryable) => Promise<T>, isolation: Isolation): Promise<T> {
    await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
    try {
      const result = await work(client as Queryable);
      await this.#commit(client);
      return result;
    } catch (error) {
      // A broken connection has already rolled back.
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  /**
   * When the answer to COMMIT is lost, a row that was written with the rest tells what became of it. The number of the
   * transaction would not: after a crash or a fail-over it may be another's.
   */
  async #commit(client: pg.ClientBase): Promise<void> {
    const token = randomUUID();
    const { rowCount } = await client.query(
      `INSERT INTO atoll_commits (token, done) SELECT $1::uuid, true WHERE pg_current_xact_id_if_assigned() IS NOT NULL`,
      [token],
    );
    try {
      await client.query('COMMIT');
    } catch (error) {
      if (rowCount === 0 || !isLost(error) || !(await this.#isDone(token))) throw error;
    }
    this.#commits += 1;
    if (this.#commits % COMMITS_TO_SWEEP === 0) await this.#sweepCommits();
  }

  /**
   * Waits for a transaction that is still under way, and keeps one that never came from being done later. On a
   * connection of its own: those of the pool may all be waiting for the same answer.
   */
  async #isDone(token: string): Promise<boolean> {
    const sql = `INSERT INTO atoll_commits AS c (token, done) VALUES ($1, false)
      ON CONFLICT (token) DO UPDATE SET token = c.token RETURNING done`;
    const { rows } = await this.#retry(() => this.#apart((client) => client.query<{ done: boolean }>(sql, [token])));
    return rows[0]?.done === true;
  }

  async #apart<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(this.#options);
    client.on('error', () => {});
    try {
      await client.connect();
      return await use(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #sweepCommits(): Promise<void> {
    const sql = "DELETE FROM atoll_commits WHERE at < now() - interval '10 minutes'";
    // What is left over is deleted next time.
    await this.#pool.query(sql).catch(() => {});
  }

  async #retry<T>(attempt: (tried: number) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      if (this.#isClosed) throw closedStore('storage');
      try {
        this.#ready ??= migrate(this.#pool, this.#schema, MIGRATIONS).catch((error) => {
          this.#ready = undefined;
          throw error;
        });
        await this.#ready;
        return await attempt(tried);
      } catch (error) {
        const most = isLost(error) ? ATTEMPTS.lost : isContended(error) ? ATTEMPTS.contended : 0;
        if (tried >= most) throw named(error);
        // Between a few milliseconds and a few seconds, and never two processes in step.
        await sleep((isLost(error) ? 2 ** tried * 50 : Math.min(tried, 10) * 3) * (0.5 + Math.random()));
      }
    }
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown })?.code ?? '');

/**
 * The connection broke, or the server is restarting, has no connection left, is not up yet, or has become the copy of
 * another in a fail-over and takes no writes.
 */
function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (
    /^(08|57P0[123]|53300|25006)/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)
  )
    return true;
  return /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/.test(
    String((error as Error)?.message),
  );
}

/** A serialization failure or deadlock: the transaction has to be retried. */
const isContended = (error: unknown) => ['40001', '40P01', '55P03'].includes(codeOf(error));

/** Translates the error into a `StorageError`; the server's own error is its `cause`. */
export function named(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  if (/^53[12]00$/.test(code))
    return new StorageError('full', 'The database server has no room left. Free some space on it and try again.', {
      cause: error,
    });
  if (/^(28|3D000|42501)/.test(code))
    return new StorageError(
      'denied',
      'The database server refuses this user, password or database. Check the storage address.',
      { cause: error },
    );
  if (isContended(error))
    return new StorageError('locked', 'Other processes kept changing the same data. Try again.', { cause: error });
  if (isLost(error))
    return new StorageError(
      'unavailable',
      'The database server cannot be reached. Check that it runs and that the storage address is right.',
      { cause: error },
    );
  if (code === '' || code.startsWith('23')) return error;
  return new StorageError('unavailable', 'The database server could not do this; the log has its reason.', {
    cause: error,
  });
}
