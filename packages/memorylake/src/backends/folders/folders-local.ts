import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderContents, FolderSource } from '../interface.ts';
import { isDocument } from './documents.ts';

/** Local folders. Each is watched separately: a recursive watch would watch every file. */
export const localFolders: FolderSource = {
  isDocument,

  async contents(folder) {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const facts = await Promise.all(files.map(({ name }) => stat(join(folder, name)).catch(() => undefined)));
      const contents: FolderContents = {
        files: files.flatMap(({ name }, at) => {
          const found = facts[at];
          return found ? [{ name, state: `${found.size}/${found.mtimeMs}` }] : [];
        }),
        // Links are not followed, which avoids loops.
        folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
      };
      return contents;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'closed';
    }
  },

  watch(folder, onChange) {
    let watcher: FSWatcher;
    try {
      watcher = watch(folder, { persistent: false }, onChange);
    } catch {
      // No watches left, or the folder no longer exists.
      return undefined;
    }
    watcher.on('error', onChange);
    return () => watcher.close();
  },
};
