import { statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where `setup-python` puts its environment: ATOLL_PYTHON_DIR, or `atoll/python` in the user's data folder. */
export function defaultPythonDir(env: Environment = process.env): string {
  if (env.ATOLL_PYTHON_DIR) return resolve(env.ATOLL_PYTHON_DIR);
  const own = join(userDataFolder(env), 'atoll', 'python');
  // Root's untrusted code runs as an unprivileged user, who could not read anything in a closed home.
  return isRoot() && !isOpenToOthers(own) ? '/var/lib/atoll/python' : own;
}

/** `python3` wherever the user's PATH has it. */
export function pythonsOnPath(env: Environment = process.env): string[] {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'python3'));
}

export const isRoot = () => process.getuid?.() === 0;

/** Whether every folder on the way, as far as it exists, may be entered by anybody. */
export function isOpenToOthers(path: string): boolean {
  for (let way = resolve(path); ; way = dirname(way)) {
    const stats = statSync(way, { throwIfNoEntry: false });
    if (stats?.isDirectory() && !(stats.mode & 0o001)) return false;
    if (way === dirname(way)) return true;
  }
}

function userDataFolder(env: Environment): string {
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (platform() === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}
