import { chmod, constants, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findGranted } from '../grants.ts';
import type { FileGrants, GrantedFile } from '../interface.ts';
import type { FileQuestion } from './messages.ts';
import type { Fork } from './zygote.ts';

/** Hands granted files out as read-only copies in the one folder of the host that the session can read. */
export class GrantedFiles {
  readonly #grants: FileGrants | undefined;
  readonly #fork: Pick<Fork, 'filesDir' | 'inside'>;
  readonly #copies = new Map<string, Promise<string>>();
  #folders = 0;

  constructor(grants: FileGrants | undefined, fork: Pick<Fork, 'filesDir' | 'inside'>) {
    this.#grants = grants;
    this.#fork = fork;
  }

  async answer({ id, name }: FileQuestion): Promise<{ path: string } | { error: string }> {
    const granted = await findGranted(this.#grants, id, name);
    if ('error' in granted) return granted;
    try {
      return { path: await this.share(granted) };
    } catch {
      return { error: `The file with the id '${id}' cannot be read` };
    }
  }

  /** Copies a file to where the session can read it, once, and tells its path there. */
  async share(file: GrantedFile): Promise<string> {
    return this.#fork.inside(await this.#copy(file));
  }

  async #copy({ path, name }: GrantedFile): Promise<string> {
    const { size, mtimeMs, ino } = await stat(path);
    const key = `${path}\0${size}\0${mtimeMs}\0${ino}`;
    const known = this.#copies.get(key);
    if (known) return known;
    const copy = this.#make(path, basename(name) || 'file');
    this.#copies.set(key, copy);
    // What failed, as on a full disk, may work when it is asked for again.
    copy.catch(() => this.#copies.delete(key));
    return copy;
  }

  async #make(path: string, name: string): Promise<string> {
    const folder = join(this.#fork.filesDir, String(this.#folders++));
    const copy = join(folder, name);
    try {
      await mkdir(folder, { mode: 0o755 });
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      await chmod(copy, 0o444);
      return copy;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}
