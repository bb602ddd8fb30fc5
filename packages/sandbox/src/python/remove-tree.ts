import { rmSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

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

async function open(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await open(join(folder, entry.name));
}
