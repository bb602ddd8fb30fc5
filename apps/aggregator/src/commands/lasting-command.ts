import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = '@atoll-mcp/aggregator';
/** Folders that npx, `pnpm dlx`, `yarn dlx` and bunx run packages from, and may empty at any time. */
const PASSING = /^(.*?[\\/](?:_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+)(?:[\\/][^\\/]+)*?)[\\/]node_modules[\\/]/;

/** How a client starts this program tomorrow: by its file, or by npx where the file is only passing. */
export function lastingCommand(node: string, script: string): { command: string; args: string[] } {
  const folder = PASSING.exec(script)?.[1];
  if (folder === undefined) return { command: node, args: [script] };
  return { command: 'npx', args: ['-y', wantedPackage(folder)] };
}

/** With the version that was asked for; npx keeps it beside what it installs. */
function wantedPackage(folder: string): string {
  try {
    const { _npx } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      _npx?: { packages?: string[] };
    };
    return _npx?.packages?.find((name) => name.startsWith(`${PACKAGE}@`)) ?? PACKAGE;
  } catch {
    return PACKAGE;
  }
}
