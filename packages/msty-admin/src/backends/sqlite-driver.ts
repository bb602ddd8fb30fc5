import { createRequire } from 'node:module';

/** The part of `node:sqlite` that is used here; `@photostructure/sqlite` has the same. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  close(): void;
}

interface SqliteStatement {
  all(...values: (string | number | null)[]): unknown[];
  setReadBigInts(enabled: boolean): void;
}

type Driver = { DatabaseSync: new (path: string, options: { readOnly: boolean }) => SqliteDatabase };

const require = createRequire(import.meta.url);
let driver: Driver | undefined;

export function openReadOnly(path: string): SqliteDatabase {
  driver ??= loadDriver();
  return new driver.DatabaseSync(path, { readOnly: true });
}

/** Node has SQLite from 22.13 on; before that a package with the same interface stands in. */
function loadDriver(): Driver {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13);
  return require(isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite') as Driver;
}
