import { rmSync } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './setup-state.ts';

const DAY_MS = 86_400_000;

/** Removes a folder even if the code in it closed folders to itself. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(async () => {
    await open(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
}

/** For a program that ends without closing. Returns a function that calls it off. */
export function removeAtExit(folder: string): () => void {
  const remove = () => rmSync(folder, { recursive: true, force: true });
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
    if (isOurs && !isAlive(Number(pid))) await removeTree(folder).catch(() => {});
  }
}

async function open(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await open(join(folder, entry.name));
}
