import { rm } from 'node:fs/promises';
import { type Cache, type CacheDefinition, type CacheStats, StorageError } from '@atoll-mcp/core/storage';
import { entrySize } from '../memory/memory-cache.ts';
import { LazyConnection } from './lazy-connection.ts';
import { retryWhileBusy, type SqliteConnection } from './sqlite-connection.ts';

// When an entry was last used is noted to the minute: a hit then seldom costs a write.
const USE_GRAIN_MS = 60_000;
const EVICT_TO = 0.9;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL, value BLOB);
  CREATE INDEX IF NOT EXISTS by_use ON entries (used, key, size);
  CREATE TABLE IF NOT EXISTS total (only INTEGER PRIMARY KEY CHECK (only = 1), size INTEGER NOT NULL);
  INSERT OR IGNORE INTO total VALUES (1, 0);
`;

type Entry = readonly [key: string, value: Uint8Array];

/** A cache that survives restarts and may be shared by processes. */
export class SqliteCache implements Cache {
  readonly #path: string;
  #connection: LazyConnection;
  readonly #maxBytes: number;
  readonly #now: () => number;
  #replacing: Promise<void> | undefined;
  #hits = 0;
  #misses = 0;

  constructor(path: string, { maxBytes }: Pick<CacheDefinition, 'maxBytes'>, now: () => number = Date.now) {
    this.#path = path;
    this.#connection = connectionTo(path);
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  getMany(keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.#use((connection) => this.#getMany(connection, keys));
  }

  setMany(entries: readonly Entry[]): Promise<void> {
    return this.#use((connection) => this.#setMany(connection, entries));
  }

  stats(): Promise<CacheStats> {
    return this.#use(async (connection) => ({
      entries: Number(connection.get('SELECT count(*) AS entries FROM entries')?.entries),
      sizeBytes: totalSize(connection),
      maxBytes: this.#maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    }));
  }

  clear(): Promise<void> {
    return this.#use((connection) =>
      retryWhileBusy(() =>
        connection.atomically(() => connection.exec('DELETE FROM entries; UPDATE total SET size = 0')),
      ),
    );
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** A damaged file is replaced by an empty one: everything in it can be computed again. */
  async #use<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const used = this.#connection;
    try {
      return await work(await used.get());
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'corrupt')) throw error;
      // Several calls may notice at once; the first one replaces the file.
      if (this.#connection === used) this.#replacing ??= this.#replace(used);
      await this.#replacing;
      return work(await this.#connection.get());
    }
  }

  async #replace(damaged: LazyConnection): Promise<void> {
    await damaged.close();
    for (const side of ['', '-wal', '-shm']) await rm(this.#path + side, { force: true });
    this.#connection = connectionTo(this.#path);
    this.#replacing = undefined;
  }

  async #getMany(connection: SqliteConnection, keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    const minute = this.#minute();
    const stale: string[] = [];
    const values = await retryWhileBusy(() =>
      connection.snapshot(() =>
        keys.map((key) => {
          const row = connection.get('SELECT value, used FROM entries WHERE key = ?', key);
          if (row !== undefined && Number(row.used) < minute) stale.push(key);
          // Node 22 stores an empty blob as null.
          return row && ((row.value ?? new Uint8Array(0)) as Uint8Array);
        }),
      ),
    );
    for (const value of values) value === undefined ? this.#misses++ : this.#hits++;
    if (stale.length > 0) await this.#touch(connection, stale, minute);
    return values;
  }

  async #setMany(connection: SqliteConnection, entries: readonly Entry[]): Promise<void> {
    const minute = this.#minute();
    await retryWhileBusy(() =>
      connection.atomically(() => {
        let grown = 0;
        for (const [key, value] of entries) {
          grown -= this.#drop(connection, key);
          const size = entrySize(key, value);
          if (size > this.#maxBytes) continue;
          connection.run('INSERT INTO entries (key, size, used, value) VALUES (?, ?, ?, ?)', key, size, minute, value);
          grown += size;
        }
        connection.run('UPDATE total SET size = size + ?', grown);
        this.#evict(connection);
      }),
    );
  }

  #drop(connection: SqliteConnection, key: string): number {
    const row = connection.get('SELECT size FROM entries WHERE key = ?', key);
    if (row === undefined) return 0;
    connection.run('DELETE FROM entries WHERE key = ?', key);
    return Number(row.size);
  }

  #evict(connection: SqliteConnection): void {
    let excess = totalSize(connection) - this.#maxBytes;
    if (excess <= 0) return;
    // A little more than needed, so that not every write has to make room.
    excess += Math.floor(this.#maxBytes * (1 - EVICT_TO));
    const going: string[] = [];
    let freed = 0;
    for (const { key, size } of connection.each('SELECT key, size FROM entries ORDER BY used, rowid')) {
      if (freed >= excess) break;
      going.push(key as string);
      freed += Number(size);
    }
    for (const key of going) connection.run('DELETE FROM entries WHERE key = ?', key);
    connection.run('UPDATE total SET size = size - ?', freed);
  }

  /** Best effort: a cache that can't note a use still answers. */
  async #touch(connection: SqliteConnection, keys: readonly string[], minute: number): Promise<void> {
    try {
      connection.atomically(() => {
        for (const key of keys) connection.run('UPDATE entries SET used = ? WHERE key = ?', minute, key);
      });
    } catch {
      // Noted the next time.
    }
  }

  #minute(): number {
    return Math.floor(this.#now() / USE_GRAIN_MS);
  }
}

const connectionTo = (path: string) =>
  new LazyConnection({
    path,
    what: 'cache',
    durability: 'normal',
    prepare: (connection) => connection.exec(SCHEMA),
  });

const totalSize = (connection: SqliteConnection) => Number(connection.get('SELECT size FROM total')?.size);
