import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type FolderUse = 'read' | 'write';

/** Why a folder cannot be used, or undefined. A missing folder is fine if it can be created. */
export function folderProblem(path: string, use: FolderUse = 'write'): string | undefined {
  const place = nearestThere(path);
  try {
    if (!statSync(place).isDirectory()) return `${place} is a file; give a folder`;
    if (use === 'read' && place === path) return undefined;
    // Only trying tells: root has every right under /proc, where a recursive mkdir of Node 20 then never returns.
    rmdirSync(mkdtempSync(join(place, '.atoll-')));
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return FULL.has(code) ? undefined : `cannot write to ${place} (${code}); choose a folder that you can write to`;
  }
}

/** What is kept on a full disk can still be read. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

function nearestThere(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestThere(dirname(path));
}
