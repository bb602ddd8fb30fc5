import { chmodSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  isBusy,
  openDatabase,
  type Row,
  type SqlValue,
  type Statement,
  toStorageError,
} from './sqlite-engine.ts';

export interface ConnectionOptions {
  /** `full`: an acknowledged write survives a power cut. `normal`: it survives a crash of the process. */
  readonly durability: 'full' | 'normal';
  /** What undoes a part of a transaction is kept in memory, not in files outside the data folder: for connections that write. */
  readonly undoInMemory?: boolean;
  readonly pageSizeBytes?: number;
  readonly cacheBytes?: number;
}

const BUSY_WAIT_MS = 20;
const BUSY_TIMEOUT_MS = 20_000;
const MAX_STATEMENTS = 200;

/** One connection to one SQLite file in WAL mode, with its statements kept ready. */
export class SqliteConnection {
  readonly path: string;
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  #inTransaction = false;

  private constructor(path: string, database: Database) {
    this.path = path;
    this.#database = database;
  }

  static async open(path: string, options: ConnectionOptions): Promise<SqliteConnection> {
    return retryWhileBusy(() => SqliteConnection.openNow(path, options));
  }

  /** Fails at once when another process is just creating the file. */
  static openNow(path: string, options: ConnectionOptions): SqliteConnection {
    const { durability, undoInMemory = false, pageSizeBytes = 4096, cacheBytes = 8 << 20 } = options;
    let database: Database | undefined;
    try {
      const isNew = !existsSync(path);
      database = openDatabase(path);
      // Before anything is in it; the files that SQLite puts beside it take its mode.
      if (isNew) closeToOthers(path);
      // The engine waits by sleeping, which stops the event loop: short here, and we wait on timers after that.
      database.exec(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}; PRAGMA page_size = ${pageSizeBytes};`);
      database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};`);
      database.exec(`PRAGMA cache_size = -${cacheBytes >> 10}; PRAGMA journal_size_limit = ${16 << 20};`);
      if (undoInMemory) database.exec('PRAGMA temp_store = MEMORY;');
      return new SqliteConnection(path, database);
    } catch (error) {
      database?.close();
      throw toStorageError(error, path);
    }
  }

  exec(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
  }

  run(sql: string, ...values: SqlValue[]): number {
    try {
      return Number(this.#prepare(sql).run(...values).changes);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
  }

  insert(sql: string, ...values: SqlValue[]): number {
    try {
      return Number(this.#prepare(sql).run(...values).lastInsertRowid);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.#prepare(sql).get(...values);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    try {
      return this.#prepare(sql).all(...values);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
  }

  /** Row by row; finish it before the next statement. */
  *each(sql: string, ...values: SqlValue[]): Generator<Row> {
    try {
      yield* this.#prepare(sql).iterate(...values);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
  }

  /** Sees one state of the file throughout. */
  snapshot<T>(work: () => T): T {
    return this.#inTransaction ? work() : this.#within('BEGIN', work);
  }

  /** Writes all or nothing, and holds other writers off meanwhile. */
  atomically<T>(work: () => T): T {
    return this.#within(this.#inTransaction ? 'SAVEPOINT part' : 'BEGIN IMMEDIATE', work);
  }

  /** Opens a transaction that stays open until `commit` or `rollback`. */
  begin(): void {
    this.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
  }

  /** Does a part of an open transaction wholly or not at all. */
  async partly<T>(work: () => T | Promise<T>): Promise<T> {
    this.exec('SAVEPOINT part');
    try {
      const result = await work();
      this.exec('RELEASE part');
      return result;
    } catch (error) {
      this.#inTransaction = this.#undo('ROLLBACK TO part; RELEASE part');
      throw error;
    }
  }

  /** Whether a transaction was begun and has not ended, be it by an error. */
  get isInTransaction(): boolean {
    return this.#inTransaction;
  }

  commit(): void {
    this.exec('COMMIT');
    this.#inTransaction = false;
  }

  rollback(): void {
    this.#inTransaction = false;
    this.#undo('ROLLBACK');
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #within<T>(begin: string, work: () => T): T {
    const isPart = begin.startsWith('SAVEPOINT');
    this.exec(begin);
    try {
      const result = work();
      this.exec(isPart ? 'RELEASE part' : 'COMMIT');
      return result;
    } catch (error) {
      this.#undo(isPart ? 'ROLLBACK TO part; RELEASE part' : 'ROLLBACK');
      throw error;
    }
  }

  #undo(sql: string): boolean {
    try {
      this.#database.exec(sql);
      return true;
    } catch {
      // Some errors, a full disk for one, have already ended the transaction.
      return false;
    }
  }
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // The file system does not support modes.
  }
}

/** Tries again while other processes are in the way. */
export async function retryWhileBusy<T>(work: () => T, patienceMs = BUSY_TIMEOUT_MS): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error instanceof Error ? error.cause : error) || performance.now() > giveUpAt) throw error;
      // Two processes that wait in step would keep meeting.
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}
