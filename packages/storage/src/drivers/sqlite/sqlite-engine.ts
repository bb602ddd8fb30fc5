import { createRequire } from 'node:module';
import { StorageError, type StorageErrorCode } from '@atoll-mcp/core/storage';

export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  iterate(...values: SqlValue[]): IterableIterator<Row>;
}

/** The part that `node:sqlite` and `@photostructure/sqlite` have in common and that we use. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Engine {
  readonly DatabaseSync: new (path: string) => Database;
}

let engine: Engine | undefined;

/** Node's own SQLite where it has one (22.13 and later), else the package with the same API. */
export function openDatabase(path: string): Database {
  engine ??= builtin() ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Engine);
  return new engine.DatabaseSync(path);
}

function builtin(): Engine | undefined {
  const { emitWarning } = process;
  // Node 22 calls it experimental, on stderr, in every process. What we use of it has not changed since.
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite') as Engine | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Whether another connection was in the way, so that trying again makes sense. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error) & 0xff;
  return code === 5 || code === 6;
}

/** Gives an error of the engine a name of ours; any other error stays what it is. */
export function toStorageError(error: unknown, path: string): unknown {
  const result = resultCode(error);
  if (result === 0) return error;
  const code = CODES[result] ?? CODES[result & 0xff] ?? 'unavailable';
  return new StorageError(code, MESSAGES[code](path), { cause: error });
}

/** The columns of a broken unique rule, as the engine names them. */
export function brokenRule(error: unknown): string[] | undefined {
  const result = resultCode(error);
  if (result !== 2067 && result !== 1555) return undefined;
  const columns = /failed: (.*)$/.exec((error as Error).message)?.[1]?.split(', ') ?? [];
  return columns.map((column) => column.slice(column.indexOf('.') + 1));
}

const resultCode = (error: unknown) =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

const CODES: Readonly<Record<number, StorageErrorCode>> = {
  3: 'denied',
  5: 'locked',
  6: 'locked',
  8: 'denied',
  11: 'corrupt',
  13: 'full',
  14: 'denied',
  19: 'conflict',
  26: 'corrupt',
  // Of the I/O errors: a short read is a cut file, a failed extension of the shared memory a full disk.
  522: 'corrupt',
  778: 'full',
  4874: 'full',
};

const MESSAGES: Readonly<Record<StorageErrorCode, (path: string) => string>> = {
  full: (path) => `No room left to write ${path}. Nothing was changed. Free some space on the disk and try again.`,
  corrupt: (path) =>
    `${path} is damaged or cut short. Restore it from a backup, or move it away to start with an empty store.`,
  locked: (path) => `Another process is using ${path} and did not let go in time. Try again.`,
  denied: (path) => `${path} can't be opened for reading and writing. Check that it exists and who may write there.`,
  conflict: (path) => `The change breaks a rule of ${path}.`,
  invalid: (path) => `The change does not fit ${path}.`,
  not_found: (path) => `${path} is not there.`,
  closed: (path) => `${path} was closed.`,
  unavailable: (path) => `${path} could not be read or written. The cause is in the log.`,
};
