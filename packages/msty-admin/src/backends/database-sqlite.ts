import { quoted } from '../domain/studio/table-map.ts';
import { databaseBusy, databaseForbidden, databaseNotFound, databaseUnreadable, queryFailed } from '../errors.ts';
import { DatabaseSnapshot } from './database-snapshot.ts';
import { type FileState, fileState } from './file-state.ts';
import type { DatabaseAnswer, DatabaseReader, DatabaseView, Row, SqlValue } from './interface.ts';
import { openImmutable, type SqliteDatabase } from './sqlite-driver.ts';

const GB = 1024 ** 3;
const IN_PLACE_ATTEMPTS = 3;
const IDLE_MS = 60_000;

interface DatabaseOptions {
  /** Where private copies of a database in use are kept while they are needed. */
  readonly scratchDir: string;
  /** How paths are shown in messages. */
  readonly show: (path: string) => string;
  /** Larger databases are read in place, without what is only in the write-ahead log. */
  readonly maxSnapshotBytes?: number;
}

/** Reads SQLite files that belong to another program: no lock, no write, no file beside them. */
export function createSqliteReader({ scratchDir, show, maxSnapshotBytes = 2 * GB }: DatabaseOptions): DatabaseReader {
  let snapshot: DatabaseSnapshot | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function read<Result>(path: string, work: (view: DatabaseView) => Result): Promise<DatabaseAnswer<Result>> {
    const state = stateOf(path);
    if (isQuiet(state)) {
      const answer = readInPlace(path, work, IN_PLACE_ATTEMPTS);
      if (answer) return { ...answer, stalePossible: false };
    }
    const isSmall = state.sizeBytes + state.walBytes <= maxSnapshotBytes;
    const copied = isSmall ? await inTurn(() => readCopy(path, work)) : undefined;
    if (copied) return copied;
    const answer = readInPlace(path, work, 1, true);
    if (!answer) throw databaseBusy(show(path));
    return { ...answer, stalePossible: true };
  }

  /** Right if the file was not written meanwhile, which is checked afterwards. */
  function readInPlace<Result>(
    path: string,
    work: (view: DatabaseView) => Result,
    attempts: number,
    evenIfChanged = false,
  ): { result: Result } | undefined {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = stateOf(path);
      if (!evenIfChanged && !isQuiet(before)) return undefined;
      const outcome = attemptOn(path, work);
      const after = stateOf(path);
      const isUnchanged = before.mainMark === after.mainMark && isQuiet(after);
      if (!isUnchanged && !evenIfChanged) continue;
      if ('failure' in outcome) throw outcome.failure;
      return outcome;
    }
    return undefined;
  }

  /** Undefined when there is no room for a copy. */
  async function readCopy<Result>(
    path: string,
    work: (view: DatabaseView) => Result,
  ): Promise<DatabaseAnswer<Result> | undefined> {
    clearTimeout(idle);
    try {
      if (snapshot?.source !== path) {
        await dropSnapshot();
        snapshot = await DatabaseSnapshot.create(path, scratchDir);
      }
      const copy = await snapshot.database();
      if (!copy) throw databaseBusy(show(path));
      return { result: work(viewOf(copy.database)), stalePossible: !copy.isCurrent };
    } catch (error) {
      // The source was just seen to be readable, so it is our own folder that is full or closed to us.
      if (NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw named(path, error);
    } finally {
      // The copy holds conversations, so it is deleted.
      idle = setTimeout(() => void inTurn(dropSnapshot), IDLE_MS).unref();
    }
  }

  function attemptOn<Result>(
    path: string,
    work: (view: DatabaseView) => Result,
  ): { result: Result } | { failure: unknown } {
    let database: SqliteDatabase | undefined;
    try {
      database = openImmutable(path);
      return { result: work(viewOf(database)) };
    } catch (error) {
      return { failure: named(path, error) };
    } finally {
      database?.close();
    }
  }

  function stateOf(path: string): FileState {
    try {
      const state = fileState(path);
      if (!state.hasMagic) throw databaseUnreadable(show(path));
      return state;
    } catch (error) {
      throw named(path, error);
    }
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = turn.then(work, work);
    turn = next.catch(() => {});
    return next;
  }

  async function dropSnapshot(): Promise<void> {
    clearTimeout(idle);
    await snapshot?.remove();
    snapshot = undefined;
  }

  /** An engine's or the file system's failure under one of our names; our own and bugs pass. */
  function named(path: string, error: unknown): unknown {
    const { code, errcode, sqliteCode } = error as { code?: string; errcode?: number; sqliteCode?: number };
    if (code === 'ENOENT' || code === 'ENOTDIR') return databaseNotFound(show(path));
    if (code === 'EACCES' || code === 'EPERM') return databaseForbidden(show(path), error);
    if (code === 'EISDIR') return databaseUnreadable(show(path), error);
    const primary = (errcode ?? sqliteCode ?? 0) & 0xff;
    if (primary === SQLITE_ERROR) return queryFailed('the query does not fit its tables', error);
    return primary > 0 || code === 'ERR_SQLITE_ERROR' ? databaseUnreadable(show(path), error) : error;
  }

  return {
    read,
    isSqlite: async (path) => peek(path)?.hasMagic ?? false,
    sizeBytes: async (path) => {
      const state = peek(path);
      return state ? state.sizeBytes + state.walBytes : null;
    },
    close: () => inTurn(dropSnapshot),
  };
}

const SQLITE_ERROR = 1;
const NO_ROOM = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST']);

function peek(path: string): FileState | undefined {
  try {
    return fileState(path);
  } catch {
    return undefined;
  }
}

/** No transaction is open: the main file alone is complete. */
function isQuiet(state: FileState): boolean {
  return state.walLife === null && state.journalMark === null;
}

function viewOf(database: SqliteDatabase): DatabaseView {
  const all = (sql: string, ...values: SqlValue[]): Row[] => {
    const statement = database.prepare(sql);
    // A number beyond 2^53 would otherwise end the query.
    statement.setReadBigInts(true);
    return statement.all(...values).map((row) => plainRow(row as Row));
  };
  return {
    all,
    // A virtual table in a crafted file would hand its bytes to an extension, and PRAGMA table_list opens every one there is.
    tables: () =>
      all(
        `SELECT name FROM sqlite_master
        WHERE type = 'table' AND sql LIKE 'CREATE TABLE %' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
      ).map(({ name }) => String(name)),
    columns: (table) => all(`PRAGMA table_info(${quoted(table)})`).map(({ name }) => String(name)),
  };
}

function plainRow(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row;
}
