import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonFiles } from '../../assets.ts';
import { hasCommand, runCommand } from './commands.ts';
import { environmentPython } from './find-python.ts';
import { isOpenToOthers, isRoot, pythonsOnPath } from './places.ts';

export type OnStep = (percent: number, step: string) => void;

export const requirementsFile = join(pythonFiles, 'requirements.txt');
const MIN_MINOR_VERSION = 10;

/** Makes a virtual environment with the pinned and hashed packages, with uv where it is installed, else by venv and pip. */
export async function installFromPypi(folder: string, onStep: OnStep, signal?: AbortSignal): Promise<void> {
  const base = await basePython();
  const count = await requirementCount();
  let seen = 0;
  /** Both tools name each package as they come to it. */
  const onLine = (line: string) => {
    const name = /^(?:Collecting|Downloading|Downloaded|\+) ?([a-z][\w.]*(?:-[a-z]\w*)*)/i.exec(line.trim())?.[1];
    if (name) seen++;
    if (/^(Installing collected|Prepared)/.test(line)) onStep(75, 'installing packages');
    else if (name) onStep(Math.min(74, 5 + Math.round((seen / (2 * count)) * 70)), `getting ${name}`);
  };
  if (hasCommand('uv')) {
    onStep(2, 'making an environment with uv');
    const env = { UV_PYTHON_INSTALL_DIR: `${folder}-base` };
    await runCommand(['uv', 'venv', '--python', base ?? '3.12', folder], { env, signal });
    const install = ['uv', 'pip', 'install', '--python', environmentPython(folder)] as const;
    await runCommand([...install, '--require-hashes', '-r', requirementsFile], { onLine, signal });
  } else {
    if (!base) throw new Error(`no Python of version 3.${MIN_MINOR_VERSION} or newer was found`);
    onStep(2, 'making an environment with venv');
    await runCommand([base, '-m', 'venv', folder], { signal });
    const pip = [
      environmentPython(folder),
      '-m',
      'pip',
      'install',
      '--disable-pip-version-check',
      '--progress-bar',
      'off',
    ] as const;
    await runCommand([...pip, '--only-binary', ':all:', '--require-hashes', '-r', requirementsFile], {
      onLine,
      signal,
    });
  }
  onStep(85, 'compiling');
  await runCommand([environmentPython(folder), '-m', 'compileall', '-q', '-j', '0', join(folder, 'lib')], {
    signal,
  }).catch(() => {});
}

/** The newest suitable Python; for root one that an unprivileged user can read too, if there is one. */
async function basePython(): Promise<string | undefined> {
  const found: { path: string; minor: number; open: boolean }[] = [];
  const names = pythonsOnPath().flatMap((path) => [path, ...[14, 13, 12, 11, 10].map((minor) => `${path}.${minor}`)]);
  for (const path of new Set([...names, '/usr/bin/python3'])) {
    const script = 'import sys, venv; print(sys.version_info[0], sys.version_info[1], sys.base_prefix)';
    const answer = await promisify(execFile)(path, ['-I', '-c', script], { timeout: 20_000 }).catch(() => undefined);
    const [major, minor, prefix = '/'] = answer?.stdout.trim().split(' ') ?? [];
    if (major === '3' && Number(minor) >= MIN_MINOR_VERSION)
      found.push({ path, minor: Number(minor), open: isOpenToOthers(prefix) });
  }
  const usable = isRoot() && found.some(({ open }) => open) ? found.filter(({ open }) => open) : found;
  return usable.sort((a, b) => b.minor - a.minor)[0]?.path;
}

/** Each package is listed once per Python version, so this is more than will be installed. */
async function requirementCount(): Promise<number> {
  const names = (await readFile(requirementsFile, 'utf8')).matchAll(/^([\w.-]+)==/gm);
  return new Set([...names].map(([, name]) => name)).size;
}
