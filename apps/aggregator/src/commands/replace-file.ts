import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '@atoll-mcp/server';

/** Atomic, so that a running program never reads a partial file. Mode 0600, because it may hold tokens. */
export function replaceFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Follow symbolic links.
    const place = existsSync(path) ? realpathSync(path) : path;
    const draft = `${place}.${process.pid}.new`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, place);
  } catch (error) {
    throw new ConfigError([`cannot write ${path} (${(error as NodeJS.ErrnoException).code}); nothing was changed`]);
  }
}
