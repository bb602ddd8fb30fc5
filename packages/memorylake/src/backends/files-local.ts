import { open, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileUnreadable, importRefused } from '../errors.ts';
import type { LocalFiles } from './interface.ts';

/** Local files; paths from clients must be inside the import folders after resolving links. */
export function localFiles(importRoots: readonly string[]): LocalFiles {
  return {
    async resolveImport(path) {
      const roots = await Promise.all(importRoots.map((root) => realpath(root).catch(() => undefined)));
      for (const root of roots) {
        if (root === undefined) continue;
        const real = await realpath(resolve(root, path)).catch(() => undefined);
        if (real !== undefined && isInside(root, real) && (await stat(real)).isFile()) return real;
      }
      throw importRefused(path, importRoots);
    },
    read: readNamed,
  };
}

const FIRST_READ_BYTES = 16 << 10;
const READ_BYTES = 256 << 10;

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ENOENT: 'It is no longer there.',
    EACCES: 'This program may not read it.',
    EPERM: 'This program may not read it.',
    EISDIR: 'It is a folder.',
  }),
);

/** Names the unreadable file; otherwise the store would report the error as its own. */
async function* readNamed(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* partsOf(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw fileUnreadable(basename(path), REASONS.get(code) ?? 'The disk could not give it to its end.', cause);
  }
}

/** Read small files at once: a stream would cost more. */
async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (let sizeBytes = FIRST_READ_BYTES; ; sizeBytes = READ_BYTES) {
      const buffer = Buffer.allocUnsafeSlow(sizeBytes);
      const { bytesRead } = await file.read(buffer, 0, sizeBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
