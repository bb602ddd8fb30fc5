import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { isRoot, makeOpenFolder, NOBODY, reachableProgram, systemProgram } from './other-user.ts';

const TIMEOUT_MS = 60_000;

/**
 * Runs a program with no sandbox at all, to show that an attack would work. Never as root: it becomes nobody first, and
 * lives in a user and mount namespace of its own, so that even a mount that succeeds is seen by nobody else.
 */
export async function runUnwalled(
  command: readonly string[],
  input: string,
  asNamespaceRoot = false,
): Promise<boolean> {
  const folder = makeOpenFolder('atoll-control-', 0o777);
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const spare = openSync('/dev/null', 'r');
  try {
    const [attacker, ...rest] = command;
    const [program, ...args] = [...unprivileged(asNamespaceRoot), reachableProgram(attacker!), ...rest];
    const child = spawn(program!, args, {
      cwd: folder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ATOLL_SECRET: 'x' },
      stdio: ['pipe', 'ignore', 'ignore', spare, spare, spare, spare, spare, spare, spare],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
    const code = await new Promise((resolve) => child.once('close', resolve).once('error', () => resolve(-1)));
    return code === 0;
  } finally {
    closeSync(spare);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether this machine lets an unprivileged user have namespaces; without them no control may run. */
export function canRunControls(): boolean {
  try {
    const [program, ...args] = [...unprivileged(false), systemProgram('true')];
    return spawnSync(program!, args, { stdio: 'ignore', cwd: '/' }).status === 0;
  } catch {
    return false;
  }
}

function unprivileged(asNamespaceRoot: boolean): string[] {
  const user = isRoot
    ? [systemProgram('setpriv'), `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
    : [];
  const who = asNamespaceRoot ? '--map-root-user' : '--map-current-user';
  return [...user, systemProgram('unshare'), '--user', who, '--mount', '--propagation', 'private', '--'];
}
