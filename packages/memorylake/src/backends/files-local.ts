import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { importRefused } from '../errors.ts';
import type { LocalFiles } from './interface.ts';

/** Files of this machine; those that a model names must lie inside the import folders, links followed. */
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
    read: (path) => createReadStream(path),
  };
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
