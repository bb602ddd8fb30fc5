import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot, NOBODY } from './targets.ts';

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
  const folder = await mkdtemp(join(tmpdir(), 'atoll-control-'));
  await chmod(folder, 0o777);
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const spare = openSync('/dev/null', 'r');
  try {
    const [program, ...args] = [...unprivileged(asNamespaceRoot), ...command];
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
  const [program, ...args] = [...unprivileged(false), 'true'];
  return spawnSync(program!, args, { stdio: 'ignore' }).status === 0;
}

function unprivileged(asNamespaceRoot: boolean): string[] {
  const user = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] : [];
  const who = asNamespaceRoot ? '--map-root-user' : '--map-current-user';
  return [...user, 'unshare', '--user', who, '--mount', '--propagation', 'private', '--'];
}
