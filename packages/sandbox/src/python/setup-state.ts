import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** How far `setup-python` is, for other processes to read. */
export interface SetupState {
  readonly percent: number;
  /** What it does now, in a few words. */
  readonly step: string;
  readonly pid: number;
}

/** Beside the environment, not in it: it is there before the folder is. */
const stateFile = (pythonDir: string) => `${pythonDir}.setup.json`;

/** Nothing when no set-up is at work; a dead one leaves its file behind, which counts for nothing. */
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
  await clearSetupState(pythonDir);
  await mkdir(dirname(stateFile(pythonDir)), { recursive: true, mode: 0o755 });
  const state: SetupState = { percent: 0, step: 'looking around', pid: process.pid };
  try {
    await writeFile(stateFile(pythonDir), JSON.stringify(state), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
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
