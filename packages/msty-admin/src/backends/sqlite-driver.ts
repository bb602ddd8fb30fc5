import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The part of `node:sqlite` that is used here; `@photostructure/sqlite` has the same. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
}

interface SqliteStatement {
  all(...values: (string | number | null)[]): unknown[];
  setReadBigInts(enabled: boolean): void;
}

type Driver = { DatabaseSync: new (path: string, options: { readOnly: boolean }) => SqliteDatabase };

const require = createRequire(import.meta.url);
let driver: Driver | undefined;

/** Takes the file as it is: no lock, no log, no journal, and no file is made beside it. */
export function openImmutable(path: string): SqliteDatabase {
  return open(`${pathToFileURL(path).href}?immutable=1`, true);
}

/**
 * Has SQLite put the log or the journal beside a private copy into it, so that the copy is one plain file. Nothing is prepared:
 * on Node 20 a statement keeps its connection alive until it is collected, and with it the old view of the log.
 */
export function absorbLog(path: string): void {
  const database = open(path, false);
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA wal_checkpoint(TRUNCATE); SELECT count(*) FROM sqlite_master');
  } finally {
    database.close();
  }
}

function open(path: string, readOnly: boolean): SqliteDatabase {
  driver ??= loadDriver();
  return new driver.DatabaseSync(path, { readOnly });
}

/** Node has SQLite from 22.13 on; before that a package with the same interface stands in. */
function loadDriver(): Driver {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13)) return require('@photostructure/sqlite') as Driver;
  const { emitWarning } = process;
  // Node 22 calls it experimental on stderr; what is used of it here has not changed since.
  process.emitWarning = () => {};
  try {
    return require('node:sqlite') as Driver;
  } finally {
    process.emitWarning = emitWarning;
  }
}
