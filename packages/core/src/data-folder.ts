import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Why nothing can be kept in a folder, or nothing. It need not be there yet, but then it must be possible to make it. */
export function folderProblem(path: string): string | undefined {
  for (let place = path; ; place = dirname(place)) {
    try {
      if (!statSync(place).isDirectory()) return `${place} is a file; give a folder`;
      accessSync(place, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isMissing = code === 'ENOENT' && place !== dirname(place);
      // A file on the way to it is found one step further up.
      if (!isMissing && code !== 'ENOTDIR') return `cannot write to ${place} (${code}); give a folder that is yours`;
    }
  }
}
