import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_FILES = 50_000;

/** How much each folder of the data folder holds. Very large folders are counted up to a limit. */
export async function folderSizes(dataDir: string): Promise<{ name: string; bytes: number; files: number }[]> {
  const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  return Promise.all(
    folders.map(async ({ name }) => {
      const folder = join(dataDir, name);
      const all = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
      const files = all.filter((entry) => entry.isFile()).slice(0, MAX_FILES);
      let bytes = 0;
      for (const file of files) bytes += await sizeOf(join(file.parentPath, file.name));
      return { name, bytes, files: files.length };
    }),
  );
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
