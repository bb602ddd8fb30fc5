import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { SandboxError } from '../../errors.ts';
import { setupCommand } from '../../own-command.ts';
import { environmentPython, type Interpreter, inspectPython, WANTED_MODULES } from './find-python.ts';
import { canInstallFromDebian, DEBIAN_COMMAND, installFromDebian } from './install-debian.ts';
import { installFromPypi, requirementsFile } from './install-pypi.ts';
import { defaultPythonDir, isRoot } from './places.ts';
import { claimSetup, clearSetupState, readSetupState, type SetupState, writeSetupState } from './setup-state.ts';

export interface SetupOptions {
  /** Default: `defaultPythonDir()`. */
  readonly pythonDir?: string;
  readonly onProgress?: (progress: Pick<SetupState, 'percent' | 'step'>) => void;
  readonly signal?: AbortSignal;
}

export interface SetupResult {
  readonly python: string;
  readonly version: string;
  readonly source: 'ready' | 'pypi' | 'debian' | 'system';
}

const SYSTEM_PYTHON = '/usr/bin/python3';
const POLL_MS = 500;

/** Gets a Python with all packages ready, once. Other processes see how far it is, and a second call waits for the first. */
export async function setupPython(options: SetupOptions = {}): Promise<SetupResult> {
  const { pythonDir = defaultPythonDir(), onProgress } = options;
  if (platform() !== 'linux') throw new SandboxError('unavailable', 'Python needs Linux; JavaScript and SQL work here');
  for (;;) {
    const ready = await readyPython(pythonDir);
    if (ready) return ready;
    if (await claimSetup(pythonDir)) break;
    await waitForOther(pythonDir, options);
  }
  let writing = Promise.resolve();
  const report = (percent: number, step: string) => {
    onProgress?.({ percent, step });
    writing = writing.then(() => writeSetupState(pythonDir, { percent, step, pid: process.pid })).catch(() => {});
  };
  try {
    await refuseOtherFolder(pythonDir);
    return await install(pythonDir, options, report);
  } finally {
    await writing;
    await clearSetupState(pythonDir);
  }
}

/** The environment if it is complete and made from today's list of packages, or a system Python that has everything. */
export async function readyPython(pythonDir: string): Promise<SetupResult | undefined> {
  const mark = await readFile(markFile(pythonDir), 'utf8').catch(() => undefined);
  const own = mark === (await requirementsHash()) ? await inspectPython(environmentPython(pythonDir)) : undefined;
  if (own && isComplete(own)) return { python: own.executable, version: own.version, source: 'ready' };
  const system = await inspectPython(SYSTEM_PYTHON);
  return system && isComplete(system)
    ? { python: system.executable, version: system.version, source: 'system' }
    : undefined;
}

async function install(
  pythonDir: string,
  options: SetupOptions,
  report: (percent: number, step: string) => void,
): Promise<SetupResult> {
  const { signal } = options;
  let reason: unknown;
  try {
    return await fromPypi(pythonDir, report, signal);
  } catch (error) {
    signal?.throwIfAborted();
    reason = error;
  }
  if (canInstallFromDebian()) {
    try {
      await installFromDebian(report, signal);
      report(95, 'checking');
      const found = await inspectPython(SYSTEM_PYTHON, true);
      if (found && isComplete(found)) return { python: found.executable, version: found.version, source: 'debian' };
    } catch (error) {
      signal?.throwIfAborted();
      reason = error;
    }
  }
  throw new SandboxError('unavailable', `Python could not be set up: ${(reason as Error).message}`, {
    fix: `On Debian or Ubuntu: sudo ${DEBIAN_COMMAND}. Elsewhere: install Python 3.10 or newer with venv, or uv, and run "${setupCommand(options.pythonDir)}" with access to PyPI`,
    cause: reason,
  });
}

/** Built beside its place and moved there when it works, so that an incomplete environment is never used. */
async function fromPypi(
  pythonDir: string,
  report: (percent: number, step: string) => void,
  signal?: AbortSignal,
): Promise<SetupResult> {
  const building = `${pythonDir}.building`;
  try {
    await mkdir(dirname(pythonDir), { recursive: true, mode: 0o755 });
    await rm(building, { recursive: true, force: true });
    await installFromPypi(building, report, signal);
    report(92, 'checking that everything can be imported');
    const built = await inspectPython(environmentPython(building), true);
    if (!built || !isComplete(built)) {
      const missing = WANTED_MODULES.filter((name) => !built?.modules.includes(name));
      throw new Error(`the new environment cannot import ${missing.join(', ')}`);
    }
    if (isRoot()) await chmod(building, 0o755);
    await writeFile(markFile(building), await requirementsHash());
    await rm(pythonDir, { recursive: true, force: true });
    await rename(building, pythonDir);
    report(100, 'ready');
    return { python: environmentPython(pythonDir), version: built.version, source: 'pypi' };
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** The folder is replaced as a whole, so it must be an environment or nothing. */
async function refuseOtherFolder(pythonDir: string): Promise<void> {
  const names = await readdir(pythonDir).catch((): string[] => []);
  if (names.length > 0 && !names.includes('pyvenv.cfg'))
    throw new SandboxError('unavailable', `${pythonDir} holds something other than a Python environment`, {
      fix: 'Choose another folder with --python-dir or ATOLL_PYTHON_DIR',
    });
}

async function waitForOther(pythonDir: string, { onProgress, signal }: SetupOptions): Promise<void> {
  for (;;) {
    const state = await readSetupState(pythonDir);
    if (!state) return;
    onProgress?.(state);
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const isComplete = ({ modules }: Interpreter) => WANTED_MODULES.every((name) => modules.includes(name));
const markFile = (folder: string) => join(folder, 'atoll-requirements.sha256');
const requirementsHash = async () =>
  createHash('sha256')
    .update(await readFile(requirementsFile))
    .digest('hex');
