import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '@atoll-mcp/core';

/** In one step, so that a running program never reads half a file. For nobody but the user: it may hold tokens. */
export function replaceFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Some people keep such files elsewhere and link to them.
    const place = existsSync(path) ? realpathSync(path) : path;
    writeFileSync(`${place}.new`, text, { mode: 0o600 });
    renameSync(`${place}.new`, place);
  } catch (error) {
    throw new ConfigError([`cannot write ${path} (${(error as NodeJS.ErrnoException).code}); nothing was changed`]);
  }
}
