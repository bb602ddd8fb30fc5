import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundFile } from './interface.ts';

const MAX_ENTRIES = 20_000;

/** Files below a folder, in the order of their names. Links are not followed, and a huge tree is cut. */
export async function filesBelow(folder: string, maxDepth: number): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  let seen = 0;
  const visit = async (path: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(path)) {
      if (++seen > MAX_ENTRIES) return;
      const inner = join(path, entry.name);
      if (entry.isDirectory() && depth < maxDepth) await visit(inner, depth + 1);
      else if (entry.isFile()) {
        const sizeBytes = await sizeOf(inner);
        if (sizeBytes !== null) found.push({ path: inner, sizeBytes });
      }
    }
  };
  await visit(folder, 1);
  return found;
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The first path that exists. */
export async function firstOf(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await exists(path)) return path;
  return null;
}

export async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Links in model folders of other programs lead to the real file, whose size is what counts. */
async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  );
}
