import { randomUUID } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { retryWhileBusy, type SqliteConnection } from './sqlite-connection.ts';
import { isBusy, openDatabase } from './sqlite-engine.ts';

const IDENTITY = 'SELECT id FROM store';

/** Tells whether the file of an open store is still the one that was opened: not deleted, not replaced, not overwritten. */
export class StoreFile {
  readonly #path: string;
  readonly #id: string | undefined;
  #seen: Stats | undefined;

  static async of(path: string, connection: SqliteConnection): Promise<StoreFile> {
    // Where it cannot be written, as on a full disk, the file is known by its place alone.
    const id = await retryWhileBusy(() => identityOf(connection)).catch(() => undefined);
    return new StoreFile(path, id);
  }

  private constructor(path: string, id: string | undefined) {
    this.#path = path;
    this.#id = id;
    this.#seen = infoOf(path);
  }

  isThere(): boolean {
    const info = infoOf(this.#path);
    const seen = this.#seen;
    if (info === undefined || info.ino !== seen?.ino || info.dev !== seen.dev) return false;
    if (info.mtimeMs === seen.mtimeMs && info.size === seen.size) return true;
    // Written to since then: by a checkpoint, or by someone who copied another file over it.
    if (!this.#hasIdentity()) return false;
    this.#seen = info;
    return true;
  }

  /** Asks a new connection: those in use answer from what they have in memory. */
  #hasIdentity(): boolean {
    if (this.#id === undefined) return true;
    let database: ReturnType<typeof openDatabase> | undefined;
    try {
      database = openDatabase(this.#path);
      return database.prepare(IDENTITY).get()?.id === this.#id;
    } catch (error) {
      return isBusy(error);
    } finally {
      database?.close();
    }
  }
}

/** Opening the file and closing it again would drop SQLite's locks on it, which belong to the process. */
const infoOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** The store's own random id, in a page of the file that is written once. */
function identityOf(connection: SqliteConnection): string | undefined {
  if (connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', 'store') === undefined) {
    connection.atomically(() => {
      connection.exec('CREATE TABLE IF NOT EXISTS store (id TEXT NOT NULL)');
      connection.run('INSERT INTO store SELECT ? WHERE NOT EXISTS (SELECT 1 FROM store)', randomUUID());
    });
    // Out of the log and into the file itself, where another file in its place would not have it.
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  return connection.get(IDENTITY)?.id as string | undefined;
}
