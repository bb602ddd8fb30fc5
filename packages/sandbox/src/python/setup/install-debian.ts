import { hasCommand, runCommand } from './commands.ts';
import type { OnStep } from './install-pypi.ts';
import { isRoot } from './places.ts';

const DEBIAN_PACKAGES = [
  'bubblewrap',
  'python3-numpy',
  'python3-pandas',
  'python3-openpyxl',
  'python3-xlrd',
  'python3-scipy',
  'python3-sklearn',
  'python3-xgboost',
] as const;

export const DEBIAN_COMMAND = `apt-get install -y --no-install-recommends ${DEBIAN_PACKAGES.join(' ')}`;

export const canInstallFromDebian = () => isRoot() && hasCommand('apt-get');

/** Older versions than PyPI's, but from the system's own archive. They belong to `/usr/bin/python3`. */
export async function installFromDebian(onStep: OnStep, signal?: AbortSignal): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  onStep(10, 'asking Debian for packages');
  await runCommand(['apt-get', 'update'], { env, signal }).catch(() => {}); // an old list may still do
  let unpacked = 0;
  const onLine = (line: string) => {
    const name = /^(?:Get:\d+ \S+ \S+ \S+|Unpacking|Setting up) ([\w.+-]+)/.exec(line)?.[1];
    if (name) onStep(Math.min(90, 15 + ++unpacked / 2), `installing ${name}`);
  };
  await runCommand(['apt-get', 'install', '-y', '--no-install-recommends', ...DEBIAN_PACKAGES], {
    env,
    onLine,
    signal,
  });
}
