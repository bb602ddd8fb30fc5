import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { isOpenToOthers } from '../../src/python/setup/places.ts';

export const NOBODY = 65534;
export const isRoot = process.getuid?.() === 0;

/** A folder for temporary files that every user can enter; TMPDIR may be private. */
export const openTmpdir = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => existsSync(folder) && isOpenToOthers(folder));

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** The path of a system program. PATH is not searched: its folders may be closed to the other user. */
export function systemProgram(name: string): string {
  const found = ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync);
  if (!found) throw new Error(`${name} is not in /usr/bin, /bin or /usr/local/bin`);
  return found;
}

const copies = new Map<string, string>();

afterAll(() => {
  // A copied program is alone in a folder of its own.
  for (const copy of copies.values()) rmSync(isFile(copy) ? dirname(copy) : copy, { recursive: true, force: true });
  copies.clear();
});

/** The same program at a path that every user can reach: where it is, or a copy. */
export function reachableProgram(path: string): string {
  if (!isRoot || isOpenToOthers(realpathSync(path))) return path;
  const known = copies.get(path);
  if (known) return known;
  const copy = join(makeOpenFolder('atoll-program-'), basename(path));
  copyFileSync(realpathSync(path), copy);
  chmodSync(copy, 0o755);
  copies.set(path, copy);
  return copy;
}

/** The same folder, with the given parts of it, at a path that every user can reach: where it is, or a copy. */
export function reachableFolder(path: string, parts: readonly string[]): string {
  if (!isRoot || isOpenToOthers(realpathSync(path))) return path;
  const known = copies.get(path);
  if (known) return known;
  const folder = makeOpenFolder('atoll-folder-');
  for (const part of parts) cpSync(join(path, part), join(folder, part), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const copy = join(folder, name);
    chmodSync(copy, statSync(copy).isDirectory() ? 0o755 : 0o644);
  }
  copies.set(path, folder);
  return folder;
}

/** A new folder that every user can enter and read. */
export function makeOpenFolder(prefix: string, mode = 0o755): string {
  if (!openTmpdir)
    throw new Error('no folder for temporary files is open to all users: make /tmp so (chmod 1777 /tmp)');
  const folder = mkdtempSync(join(openTmpdir, prefix));
  chmodSync(folder, mode);
  return folder;
}

/** Starts a system program as nobody when we are root, and resolves once it runs. */
export async function startAsOther(name: string, args: readonly string[]): Promise<ChildProcess> {
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const options: SpawnOptions = { stdio: 'ignore', cwd: '/', ...user };
  const child = spawn(systemProgram(name), args, options);
  await once(child, 'spawn').catch((error: Error) => {
    throw new Error(`${name} cannot be started${isRoot ? ` as user ${NOBODY}` : ''}: ${error.message}`);
  });
  return child;
}
