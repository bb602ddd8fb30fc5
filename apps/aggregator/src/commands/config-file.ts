import { existsSync, type FSWatcher, readFileSync, watch } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const NAMES = ['atoll.json', 'atoll.yaml', 'atoll.yml'];
const SETTLE_MS = 100;
/** Some file systems send no events, so the file is also polled. */
const POLL_MS = 2_000;

/** The user's configuration folder on this platform. */
export function userConfigFolder(env: NodeJS.ProcessEnv): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  if (process.platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'atoll');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'atoll');
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'atoll');
}

/** The configuration file: the given one, else one in this folder, else the user's. */
export function findConfigFile(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const flag = argv.findIndex((word) => word === '--config' || word.startsWith('--config='));
  const word = argv[flag];
  const named = word === '--config' ? argv[flag + 1] : word?.slice('--config='.length);
  if (named) return resolve(cwd, named);
  if (env.ATOLL_CONFIG) return resolve(cwd, env.ATOLL_CONFIG);
  return [cwd, userConfigFolder(env)].flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
}

/** Calls back when the contents of a file change, also when an editor replaces the file. */
export function watchFile(path: string, onChange: () => void): () => void {
  let known = contentsOf(path);
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = contentsOf(path);
    if (now === known || now === undefined) return;
    known = now;
    onChange();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), (_event, name) => {
      if (name === null || name === basename(path)) soon();
    });
    watcher.on('error', () => {});
    watcher.unref();
  } catch {
    watcher = undefined;
  }
  const looking = setInterval(look, POLL_MS).unref();
  return () => {
    clearTimeout(timer);
    clearInterval(looking);
    watcher?.close();
  };
}

function contentsOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
