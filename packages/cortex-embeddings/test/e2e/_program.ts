import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface HttpProgram {
  /** Where everything is, without a slash at the end. */
  readonly base: string;
  stop(): Promise<void>;
}

/** The built program on a free port of loopback. */
export async function startHttp(args: readonly string[], env: Record<string, string> = {}): Promise<HttpProgram> {
  const child = spawn(process.execPath, [cli, '--http', '--port', '0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await listeningUrl(child);
  return {
    base: new URL(url).origin,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr! })) {
    lines.push(line);
    const entry = line.startsWith('{') ? JSON.parse(line) : {};
    if (entry.msg !== 'listening') continue;
    child.stderr!.resume();
    return entry.url;
  }
  throw new Error(`The program ended: ${lines.join('\n')}`);
}
