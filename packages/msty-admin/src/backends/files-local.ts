import { chmod, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileFailed, fileForbidden } from '../errors.ts';
import type { Files } from './interface.ts';

const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Files of the user that a call names. Nothing existing is ever overwritten without a copy of it. */
export function createLocalFiles(show: (path: string) => string): Files {
  const named = (path: string, error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      return fileForbidden(show(path), 'permission denied');
    if (code === 'EEXIST') return fileFailed(show(path), 'a file of that name is there already', error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return fileFailed(show(path), 'its folder does not exist', error);
    if (code === 'EISDIR') return fileFailed(show(path), 'is a folder, not a file', error);
    return typeof code === 'string' ? fileFailed(show(path), 'the file system refused', error) : error;
  };

  async function writeNew(
    path: string,
    text: string,
    { createsFolders = false }: { readonly createsFolders?: boolean } = {},
  ): Promise<void> {
    if (createsFolders) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw named(path, error);
      });
    }
    const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
      throw named(path, error);
    });
    try {
      await file.writeFile(text);
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw named(path, error);
    } finally {
      await file.close();
    }
  }

  return {
    async read(path) {
      try {
        const found = await stat(path);
        // A device or a pipe has no size to hold it to, and may never end.
        if (!found.isFile() && !found.isDirectory()) throw fileFailed(show(path), 'is a device or a pipe, not a file');
        if (found.size > MAX_READ_BYTES) throw fileFailed(show(path), 'is larger than 64 MB');
        return await readFile(path, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
        throw named(path, error);
      }
    },

    writeNew,

    async replace(path, text, stamp) {
      const target = await realpath(path).catch(() => path);
      const backup = `${target}.backup-${stamp}`;
      const mode = await stat(target).then(
        (entry) => entry.mode & 0o777,
        () => null,
      );
      try {
        if (mode !== null) await copyFile(target, backup);
      } catch (error) {
        throw named(backup, error);
      }
      const fresh = join(dirname(target), `.${basename(target)}.${stamp}.new`);
      await writeNew(fresh, text);
      try {
        if (mode !== null) await chmod(fresh, mode);
        await rename(fresh, target);
      } catch (error) {
        await rm(fresh, { force: true });
        throw named(target, error);
      }
      return mode === null ? null : backup;
    },

    async resolve(path) {
      const tail: string[] = [];
      let folder = path;
      for (;;) {
        const real = await realpath(folder).catch(() => undefined);
        if (real !== undefined) return join(real, ...tail);
        const parent = dirname(folder);
        if (parent === folder) return path;
        tail.unshift(basename(folder));
        folder = parent;
      }
    },
  };
}
