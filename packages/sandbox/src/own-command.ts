import { sep } from 'node:path';
import { programFile } from './assets.ts';

/** How this package's program is started in a shell. npm puts a dependency's programs on no path, so their bare name would not do. */
export function ownCommand(words: readonly string[], program = programFile): string {
  const isInstalled = program.split(sep).includes('node_modules');
  const start = isInstalled ? ['npx', '@atoll-mcp/sandbox'] : ['node', program];
  return [...start, ...words].map(quoted).join(' ');
}

/** What sets Python up in the folder that was asked for. */
export const setupCommand = (pythonDir?: string) =>
  ownCommand(['setup-python', ...(pythonDir === undefined ? [] : ['--python-dir', pythonDir])]);

const quoted = (word: string) => (/^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
