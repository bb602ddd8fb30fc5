import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const CALLS = 'socket,connect,sendto,sendmsg,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2';

/** Whether strace is installed and may watch processes here. */
export const canTrace = (): boolean => spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** The command under strace, which follows its threads and children and writes to `log`. */
export function traced(log: string, command: string, args: readonly string[]) {
  return { command: 'strace', args: ['-f', '-qq', '-s', '300', '-e', `trace=${CALLS}`, '-o', log, command, ...args] };
}

interface Traces {
  /** Internet addresses that were connected or sent to, or would have been with a network. */
  readonly addresses: readonly string[];
  /** Files that are read to look a host name up. */
  readonly lookups: readonly string[];
  /** Paths that were opened to write, made or renamed to. */
  readonly written: readonly string[];
}

export function readTrace(log: string): Traces {
  const addresses = new Set<string>();
  const lookups = new Set<string>();
  const written = new Set<string>();
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    for (const [, address] of line.matchAll(/inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/g)) addresses.add(address!);
    if (/ = -1 /.test(line)) continue;
    const [, call, rest = ''] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
    const paths = [...rest.matchAll(/"([^"]*)"/g)].map(([, path]) => path!);
    if (call?.startsWith('open') && /"\/etc\/(resolv\.conf|hosts)"/.test(rest)) lookups.add(paths[0]!);
    const isWrite = call?.startsWith('open')
      ? /O_WRONLY|O_RDWR|O_CREAT/.test(rest)
      : /^(creat|mkdir|rename)/.test(call ?? '');
    if (isWrite && paths.length > 0) written.add(paths.at(-1)!);
  }
  return { addresses: [...addresses], lookups: [...lookups], written: [...written] };
}
