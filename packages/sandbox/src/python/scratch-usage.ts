import { lstatSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An empty file costs a block too: otherwise a million of them would count for nothing. */
const ENTRY_BYTES = 4_096;
const BLOCK_BYTES = 512;

/** What a folder takes on its disk, counted in blocks up to a limit. What cannot be read is taken for more than any limit. */
export async function usedBytes(folder: string, max: number): Promise<number> {
  let sum = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && sum <= max; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(vanished([]));
    if (!entries) return Number.POSITIVE_INFINITY;
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const stats = await lstat(path).catch(vanished({ blocks: 0 }));
      sum += stats ? Math.max(ENTRY_BYTES, stats.blocks * BLOCK_BYTES) : Number.POSITIVE_INFINITY;
      if (sum > max) break;
    }
  }
  return sum;
}

/** What a file takes on its disk, whatever it says its size is. Not async: it is asked after every call. */
export function storedBytes(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES;
}

/** Threads of a process; none if it has ended. */
export async function threadsOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 0);
}

/** Whatever was deleted in the meantime takes nothing; any other failure gives undefined. */
function vanished<Nothing>(nothing: Nothing): (error: NodeJS.ErrnoException) => Nothing | undefined {
  return ({ code }) => (code === 'ENOENT' ? nothing : undefined);
}
