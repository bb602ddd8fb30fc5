import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterTests } from '../open-test-lake.ts';

export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
export const shellClient = fileURLToPath(new URL('../../../../scripts/memorylake_client.sh', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { env: { ...process.env, ...env }, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

export const memorylake = (...args: string[]): Promise<Ended> => run(process.execPath, [cli, ...args]);

/** Starts a program that is ended with the tests, if it has not ended by itself. */
export function start(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  afterTests(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  });
  return child;
}

/** Starts the server on a free port and gives its address. */
export async function startHttp(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const child = start(process.execPath, [cli, '--http', '--port', '0', ...args], env);
  for await (const line of createInterface({ input: child.stderr! })) {
    const entry = JSON.parse(line) as { msg?: string; url?: string };
    if (entry.msg === 'listening') return { url: entry.url!, child };
  }
  throw new Error('the server ended before it listened');
}

/** Asks again until the answer fits. */
export async function eventually<T>(
  ask: () => Promise<T>,
  fits: (answer: T) => boolean,
  patienceMs = 60_000,
): Promise<T> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > until) throw new Error(`still ${JSON.stringify(answer).slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
