import { existsSync, readFileSync, statSync } from 'node:fs';

/** Configurations of clients have some kilobytes; some clients keep their history in the same file. */
const MAX_BYTES = 32_000_000;

/**
 * The text of a client's configuration, '' where there is none. Anyone may have put it into a project: throws for a pipe or
 * a device, whose reading may never end, and for a file that is too large.
 */
export function clientText(path: string): string {
  if (!existsSync(path)) return '';
  const found = statSync(path);
  if (!found.isFile()) throw new Error(`${path} is not a file`);
  if (found.size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES / 1_000_000} MB`);
  return readFileSync(path, 'utf8');
}
