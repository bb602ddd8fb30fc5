import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonFiles } from '../../assets.ts';
import { pythonsOnPath } from './places.ts';

export interface Interpreter {
  readonly executable: string;
  readonly version: string;
  /** Its own folder and, for a virtual environment, that of the Python beneath. */
  readonly prefixes: readonly string[];
  /** Those of the wanted modules that it has. */
  readonly modules: readonly string[];
}

export const WANTED_MODULES = ['numpy', 'pandas', 'openpyxl', 'xlrd', 'scipy', 'sklearn', 'xgboost'] as const;
const execute = promisify(execFile);

/** Where the environment's interpreter is, in a folder made by `setup-python`. */
export const environmentPython = (pythonDir: string) => join(pythonDir, 'bin', 'python');

/** The first Python with everything, else the one with the most, as long as it has NumPy. Judged by what it has. */
export async function findPython(options: {
  python?: string | undefined;
  pythonDir: string;
}): Promise<Interpreter | undefined> {
  const places = options.python
    ? [options.python]
    : [environmentPython(options.pythonDir), '/usr/bin/python3', ...pythonsOnPath(), '/usr/local/bin/python3'];
  let best: Interpreter | undefined;
  for (const place of new Set(places)) {
    const found = existsSync(place) ? await inspectPython(place) : undefined;
    if (!found?.modules.includes('numpy')) continue;
    if (found.modules.length === WANTED_MODULES.length) return found;
    if (found.modules.length > (best?.modules.length ?? 0)) best = found;
  }
  return best;
}

/** With `load`, modules are really imported, which takes seconds. */
export async function inspectPython(executable: string, load = false): Promise<Interpreter | undefined> {
  const args = ['-I', '-B', join(pythonFiles, 'inspect_python.py'), ...(load ? ['--import'] : [])];
  const options = { timeout: 120_000, env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', OPENBLAS_NUM_THREADS: '1' } };
  try {
    const { stdout } = await execute(executable, args, options);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Interpreter;
  } catch {
    return undefined; // no Python, or one that does not start
  }
}
