import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root } from '../workspace.mjs';

/** Paths of all benchmarks, from the root of the repository. */
export function benchmarks() {
  return packageFolders().flatMap((name) => {
    const folder = join(root, name, 'bench');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith('.mjs') && !file.startsWith('_'))
      .map((file) => `${name}/bench/${file}`);
  });
}
