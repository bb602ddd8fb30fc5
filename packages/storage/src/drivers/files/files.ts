import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageError, type StorageErrorCode } from '@atoll-mcp/core/storage';

const CODES: ReadonlyMap<string, StorageErrorCode> = new Map(
  Object.entries<StorageErrorCode>({
    ENOENT: 'not_found',
    ENOSPC: 'full',
    EDQUOT: 'full',
    EFBIG: 'full',
    EACCES: 'denied',
    EPERM: 'denied',
    EROFS: 'denied',
    ENOTDIR: 'denied',
    EEXIST: 'denied',
  }),
);

const MESSAGES: Readonly<Partial<Record<StorageErrorCode, (path: string) => string>>> = {
  full: (path) => `No room left to write ${path}. Nothing was changed. Free some space on the disk and try again.`,
  not_found: (path) => `${path} is gone. Put it back, or restart to begin with an empty store.`,
  denied: (path) => `${path} can't be read or written. Check that it exists and who may write there.`,
};

/** Gives an error of the file system a name of ours; any other error stays what it is. */
export function namedFileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const code = CODES.get(String(error.code)) ?? 'unavailable';
  const message = MESSAGES[code]?.(path) ?? `${path} could not be read or written. The cause is in the log.`;
  return new StorageError(code, message, { cause: error });
}

/** Makes the folder and those above it, all of them durable and closed to other users. */
export async function makeFolder(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let made = path; ; made = dirname(made)) {
      await syncFolder(dirname(made));
      if (made === first) return;
    }
  } catch (error) {
    throw namedFileError(error, path);
  }
}

/** Puts a finished file in its place, for good: after a power cut it is there or the former one is. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

export async function syncFolder(path: string): Promise<void> {
  // Windows can't open a folder, and keeps names durable by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes files that were not written to for so long: a killed process left them unfinished. */
export async function sweep(folder: string, olderThanMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && info.mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true });
  }
}
