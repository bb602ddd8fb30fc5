import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const HEADER_BYTES = 100;
const WAL_HEADER_BYTES = 32;
const JOURNAL_HEADER_BYTES = 28;
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/** File systems stamp changes in steps; a file this fresh may have changed again under the same stamp. */
const SETTLED_MS = 100;

/** What can be seen of a database and its companions from outside, without any lock. */
export interface FileState {
  readonly sizeBytes: number;
  readonly hasMagic: boolean;
  /** Changes with every write to the main file. */
  readonly mainMark: string;
  /** Names one life of the write-ahead log: it is new after every reset. Null without frames. */
  readonly walLife: string | null;
  readonly walMark: string;
  readonly walBytes: number;
  /** Names one rollback journal; null when no transaction is under way. */
  readonly journalMark: string | null;
  /** Nothing was written just now, so an equal state later means an equal content. */
  readonly isSettled: boolean;
}

/**
 * Throws what the file system throws when the main file cannot be read. A few short calls without waiting: a look that
 * took turns with other work would be long out of date beside a busy writer.
 */
export function fileState(path: string): FileState {
  const main = head(path, HEADER_BYTES);
  if (!main) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  const wal = head(`${path}-wal`, WAL_HEADER_BYTES);
  const journal = head(`${path}-journal`, JOURNAL_HEADER_BYTES);
  const newest = Math.max(main.mtimeMs, wal?.mtimeMs ?? 0, journal?.mtimeMs ?? 0);
  return {
    sizeBytes: main.size,
    hasMagic: main.bytes.subarray(0, 16).equals(MAGIC),
    // Bytes 24 to 27 count the changes of a database that has no write-ahead log.
    mainMark: `${main.ino}:${main.size}:${main.mtimeMs}:${main.bytes.toString('hex', 24, 28)}`,
    walLife: wal && wal.size > WAL_HEADER_BYTES ? `${wal.ino}:${wal.bytes.toString('hex')}` : null,
    walMark: wal ? `${wal.size}:${wal.mtimeMs}` : '',
    walBytes: wal?.size ?? 0,
    // A journal whose header is blank belongs to a finished transaction.
    journalMark: journal?.bytes.some((byte) => byte !== 0) ? `${journal.ino}:${journal.bytes.toString('hex')}` : null,
    isSettled: Date.now() - newest > SETTLED_MS,
  };
}

interface Head {
  readonly bytes: Buffer;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

function head(path: string, length: number): Head | undefined {
  let file: number;
  try {
    // A pipe or a device would be waited for without end.
    if (!statSync(path).isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size, mtimeMs, ino } = fstatSync(file);
    const bytes = Buffer.alloc(length);
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, length, 0)), size, mtimeMs, ino };
  } finally {
    closeSync(file);
  }
}
