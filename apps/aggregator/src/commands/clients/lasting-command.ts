import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = '@atoll-mcp/aggregator';
/** Cache folders of npx, `pnpm dlx`, `yarn dlx` and bunx, which may be emptied at any time. */
const PASSING = /^(.*?[\\/](?:_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+)(?:[\\/][^\\/]+)*?)[\\/]node_modules[\\/]/;

/** A durable command to start this program: by its file, or by npx if the file is in a temporary cache. */
export function lastingCommand(node: string, script: string): { command: string; args: string[] } {
  const folder = PASSING.exec(script)?.[1];
  if (folder === undefined) return { command: node, args: [script] };
  return { command: 'npx', args: ['-y', wantedPackage(folder)] };
}

/** With the requested version, which npx records beside the installed packages. */
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
