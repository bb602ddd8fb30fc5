import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isArchive, isDocument } from '../backends/folders/documents.ts';

const SKIPPED_FOLDERS = new Set(['node_modules', '__pycache__']);

interface FoundFiles {
  readonly files: readonly string[];
  readonly missing: readonly string[];
  /** Archives, where they are to be opened. */
  readonly archives: readonly string[];
  /** Folders that are there and cannot be looked into. */
  readonly closed: readonly string[];
  /** Files in folders that are not documents, such as pictures. */
  readonly skipped: number;
}

/** The files that paths stand for: themselves, or what a folder holds. Hidden files are left alone. */
export async function findFiles(
  paths: readonly string[],
  options: { recursive: boolean; images?: boolean; archives?: boolean },
): Promise<FoundFiles> {
  const files = new Set<string>();
  const archives = new Set<string>();
  const missing: string[] = [];
  const closed: string[] = [];
  let skipped = 0;
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') closed.push(folder);
      return [];
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name.startsWith('~$')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (options.recursive && !SKIPPED_FOLDERS.has(entry.name)) await walk(path);
      } else if (entry.isFile()) {
        if (options.archives && (await isArchive(path))) archives.add(path);
        else if (await isDocument(path, options.images === true)) files.add(path);
        else skipped++;
      }
    }
  };
  for (const path of paths) {
    const real = await realpath(resolve(path)).catch(() => undefined);
    const facts = real === undefined ? undefined : await stat(real);
    if (real === undefined || !facts) missing.push(path);
    else if (facts.isDirectory()) await walk(real);
    else if (options.archives && (await isArchive(real))) archives.add(real);
    else files.add(real);
  }
  return { files: [...files], archives: [...archives], missing, closed, skipped };
}
