import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cannotWrite } from '../../errors.ts';

/** How far `setup-python` is, for other processes to read. */
export interface SetupState {
  readonly percent: number;
  /** What it does now, in a few words. */
  readonly step: string;
  readonly pid: number;
}

/** Beside the environment, not in it: it is there before the folder is. */
const stateFile = (pythonDir: string) => `${pythonDir}.setup.json`;

/** Undefined while no set-up runs; the file of one that was killed is ignored. */
export async function readSetupState(pythonDir: string): Promise<SetupState | undefined> {
  try {
    const state = JSON.parse(await readFile(stateFile(pythonDir), 'utf8')) as SetupState;
    return isAlive(state.pid) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the set-up for this process; false if another one has it. */
export async function claimSetup(pythonDir: string): Promise<boolean> {
  if (await readSetupState(pythonDir)) return false;
  const folder = dirname(pythonDir);
  const state: SetupState = { percent: 0, step: 'checking what is installed', pid: process.pid };
  const refuse = (error: NodeJS.ErrnoException) => {
    throw cannotWrite(folder, error);
  };
  await clearSetupState(pythonDir).catch(refuse);
  await mkdir(folder, { recursive: true, mode: 0o755 }).catch(refuse);
  return writeFile(stateFile(pythonDir), JSON.stringify(state), { flag: 'wx' }).then(
    () => true,
    // Another process was faster; any other error would be the same the next time.
    (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : refuse(error)),
  );
}

export async function writeSetupState(pythonDir: string, state: SetupState): Promise<void> {
  const file = stateFile(pythonDir);
  await writeFile(`${file}.${state.pid}`, JSON.stringify(state));
  await rename(`${file}.${state.pid}`, file);
}

export async function clearSetupState(pythonDir: string): Promise<void> {
  await rm(stateFile(pythonDir), { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
