import { chmod, constants, copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileGrants } from '../interface.ts';
import type { Frame } from './frames.ts';
import type { Fork } from './zygote.ts';

/** Hands out granted files: looks the id up, checks the name, and puts a read-only copy where the session can read. */
export class FileDesk {
  readonly #grants: FileGrants | undefined;
  readonly #fork: Pick<Fork, 'filesDir' | 'inside'>;
  readonly #copies = new Map<string, string>();

  constructor(grants: FileGrants | undefined, fork: Pick<Fork, 'filesDir' | 'inside'>) {
    this.#grants = grants;
    this.#fork = fork;
  }

  /** Never builds a path from what the code asks for. */
  async answer({ file, name }: Frame['header']): Promise<{ path: string } | { error: string }> {
    try {
      const granted = await this.#grants?.find(String(file));
      if (!granted) return { error: `No file with the id '${file}'` };
      if (granted.name !== name)
        return { error: `The file with the id '${file}' is named '${granted.name}', not '${name}'` };
      return { path: this.#fork.inside(await this.#copy(granted.path, granted.name)) };
    } catch {
      return { error: `The file with the id '${file}' cannot be read` };
    }
  }

  async #copy(path: string, name: string): Promise<string> {
    const { size, mtimeMs, ino } = await stat(path);
    const key = `${path}\0${size}\0${mtimeMs}\0${ino}`;
    const known = this.#copies.get(key);
    if (known) return known;
    const folder = join(this.#fork.filesDir, String(this.#copies.size));
    await mkdir(folder, { mode: 0o755 });
    const copy = join(folder, basename(name) || 'file');
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    await chmod(copy, 0o444);
    this.#copies.set(key, copy);
    return copy;
  }
}
