import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An empty file costs a block too: otherwise a million of them would count for nothing. */
const ENTRY_BYTES = 4_096;
const BLOCK_BYTES = 512;

/** What a folder takes on its disk, counted in blocks up to a limit. What cannot be read is taken for more than any limit. */
export async function usedBytes(folder: string, most: number): Promise<number> {
  let sum = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && sum <= most; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(vanished([]));
    if (!entries) return Number.POSITIVE_INFINITY;
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const bytes = await storedBytes(path);
      sum += Math.max(ENTRY_BYTES, bytes);
      if (sum > most) break;
    }
  }
  return sum;
}

/** What a file takes on its disk, whatever it says its size is. */
export async function storedBytes(path: string): Promise<number> {
  const stats = await lstat(path).catch(vanished({ blocks: 0 }));
  return stats ? stats.blocks * BLOCK_BYTES : Number.POSITIVE_INFINITY;
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
