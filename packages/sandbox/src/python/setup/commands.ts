import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Runs a program with the user's own environment and tells each line it writes. Throws with its last lines. */
export async function runCommand(
  [command, ...args]: readonly [string, ...string[]],
  options: {
    onLine?: (line: string) => void;
    env?: Readonly<Record<string, string>>;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  const { onLine, env, signal } = options;
  // What is installed must be readable for the unprivileged user that runs untrusted code.
  const readable = ['-c', 'umask 022; exec "$@"', 'sh', command, ...args];
  const child = spawn('sh', readable, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env }, signal });
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      onLine?.(line);
      last.push(line);
      if (last.length > 20) last.shift();
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new CommandFailed(command, last);
}

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly lines: readonly string[];

  constructor(command: string, lines: readonly string[]) {
    const telling = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'it printed nothing';
    super(`${command} failed: ${telling.trim().slice(0, 300)}`);
    this.lines = lines;
  }
}

export function hasCommand(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
