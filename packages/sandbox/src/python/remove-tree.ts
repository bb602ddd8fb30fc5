import { rmSync } from 'node:fs';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './setup/setup-state.ts';

const DAY_MS = 86_400_000;

/** Paths that grow longer than this are cut by moving what is in them up; the system takes 4,096 bytes. */
const LONG_PATH = 2_000;

/**
 * Removes a folder even if the code in it closed folders to itself or made paths that are too long, and tells whether it
 * is gone. Never rejects: what cannot be removed is left to `removeStale`.
 */
export async function removeTree(folder: string): Promise<boolean> {
  const options = { recursive: true, force: true, maxRetries: 3 } as const;
  return rm(folder, options)
    .catch(async () => {
      await open(folder);
      await rm(folder, options);
    })
    .then(
      () => true,
      () => false,
    );
}

/** For a program that ends without closing. Returns a function that calls it off. */
export function removeAtExit(folder: string): () => void {
  const remove = () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {} // removeStale tries again
  };
  process.once('exit', remove);
  return () => process.off('exit', remove);
}

/** Removes what programs that were killed left behind: folders of a dead process, untouched for a day. */
export async function removeStale(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent).catch((): string[] => [])) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    const folder = join(parent, name);
    const stats = pid ? await stat(folder).catch(() => undefined) : undefined;
    const isOurs = stats?.uid === process.getuid?.() && Date.now() - (stats?.mtimeMs ?? Date.now()) > DAY_MS;
    if (isOurs && !isAlive(Number(pid))) await removeTree(folder);
  }
}

/** Makes every folder in a folder removable: opens it, and moves it up where its path is too long. */
async function open(folder: string): Promise<void> {
  let moved = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    await chmod(next, 0o700);
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const path = join(next, entry.name);
      const isLong = path.length - folder.length > LONG_PATH;
      const place = isLong ? join(folder, `moved-${moved++}`) : path;
      if (isLong) await rename(path, place);
      folders.push(place);
    }
  }
}
