// node tooling/elsewhere.mjs root|user package…: runs the tests of some packages from a copy of this clone, either as root in a
// folder that only root can enter, with a PATH and a TMPDIR that are just as private, or as an ordinary user with an empty home.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { isOpenToOthers } from './cache.mjs';
import { packageFolders, root } from './workspace.mjs';

/** What a machine needs to reach its registries. */
const PASSED_ON = /^(.*_proxy|pip_.*|npm_config_.*|node_extra_ca_certs|ssl_cert_.*|lang)$/i;

const [who, ...packages] = process.argv.slice(2);
if (process.getuid?.() !== 0 || process.platform !== 'linux') {
  console.log('left out: only root on Linux can do this\n0 passed, 0 failed');
  process.exit(0);
}
const folder = mkdtempSync('/tmp/atoll-elsewhere-');
const user = who === 'user' ? addUser() : undefined;
try {
  process.exitCode = run();
} finally {
  if (user) execFileSync('userdel', [user.name], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}

function run() {
  const clone = copyClone();
  const [home, temporary, bin] = ['home', 'tmp', 'bin'].map((name) => join(folder, name));
  for (const path of [home, temporary, bin]) mkdirSync(path);
  const known = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  const args = [join(clone, 'tooling/test.mjs'), ...packages, '--built'];
  if (!user) {
    linkPrograms(bin);
    const env = { ...known, PATH: bin, HOME: home, TMPDIR: temporary };
    return spawnSync(process.execPath, args, { cwd: clone, env, stdio: 'inherit' }).status ?? 1;
  }
  const node = isOpenToOthers(realpathSync(process.execPath)) ? process.execPath : join(bin, 'node');
  if (node !== process.execPath) copyFileSync(process.execPath, node);
  giveTo(user, folder);
  const env = { ...known, PATH: `${join(node, '..')}:/usr/local/bin:/usr/bin:/bin`, HOME: home };
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--', node];
  return spawnSync('setpriv', [...become, ...args], { cwd: clone, env, stdio: 'inherit' }).status ?? 1;
}

/** Installed and built, as this one is. Dependencies are linked, because nothing writes to them. */
function copyClone() {
  const clone = join(folder, 'atoll');
  mkdirSync(clone);
  const apart = ['node_modules', '.git', '.cache', 'packages', 'apps'];
  const rest = readdirSync(root).filter((name) => !apart.includes(name));
  execFileSync('cp', ['-a', ...rest.map((name) => join(root, name)), clone]);
  const link = spawnSync('cp', ['-al', join(root, 'node_modules'), clone], { stdio: 'ignore' });
  if (link.status !== 0) execFileSync('cp', ['-a', join(root, 'node_modules'), clone]);
  for (const path of packageFolders()) {
    mkdirSync(join(clone, path, '..'), { recursive: true });
    execFileSync('cp', ['-a', join(root, path), join(clone, path)]);
  }
  return clone;
}

/** Everything on the PATH under one folder. */
function linkPrograms(bin) {
  for (const from of (process.env.PATH ?? '').split(':').filter((path) => path && existsSync(path))) {
    for (const name of readdirSync(from)) {
      if (!lstatSync(join(bin, name), { throwIfNoEntry: false })) symlinkSync(join(from, name), join(bin, name));
    }
  }
}

/** Folders and our own files only: linked files belong to the original, too. */
function giveTo({ uid, gid }, path) {
  const owner = `${uid}:${gid}`;
  execFileSync('find', [path, '-type', 'd', '-exec', 'chown', owner, '{}', '+']);
  execFileSync('find', [path, '-type', 'f', '-links', '1', '-exec', 'chown', owner, '{}', '+']);
  chownSync(path, uid, gid);
}

function addUser() {
  const name = `atoll-${process.pid}`;
  execFileSync('useradd', ['--no-create-home', '--home-dir', join(folder, 'home'), name]);
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })));
  return { name, uid, gid };
}
