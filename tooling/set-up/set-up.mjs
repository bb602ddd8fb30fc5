// Brings a fresh clone to the point where its programs run: dependencies, then a build. Does nothing when nothing changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, readJson, root } from '../workspace.mjs';
import { requireNode, requireRoom } from './requirements.mjs';
import { fail, runStep, tryStep } from './run-step.mjs';

const stampFile = join(root, 'node_modules', '.cache', 'atoll-set-up.json');
const { packageManager, engines } = readJson('package.json');
// What npx has kept is used without asking the registry, so a clone can be set up again without a network.
const pnpm = ['--prefer-offline', '--yes', packageManager];

/** For npx. Turbo looks for pnpm on the path, where it is not unless pnpm itself has called. */
export const turboRun = [...pnpm, 'exec', 'turbo', 'run', '--output-logs=errors-only'];

export async function setUp() {
  requireNode(engines.node.replace('>=', ''));
  const wanted = { install: hashOf(manifests()), build: hashOf([...manifests(), ...sources()]) };
  const done = readStamp();
  if (done.install !== wanted.install || !existsSync(join(root, 'node_modules/.bin'))) {
    requireRoom(root);
    await install('Installing dependencies');
    writeStamp({ install: wanted.install });
  }
  if (done.build !== wanted.build || !isBuilt()) {
    await build();
    writeStamp(wanted);
  }
}

const INSTALL = [...pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'];

/** What fails for no known reason may be a damaged cache: that is removed, and everything fetched again, once. */
async function install(title, more = []) {
  const { isDone, output, known } = await tryStep(title, 'npx', [...INSTALL, ...more], { cwd: root });
  if (isDone) return;
  if (known) fail(known);
  removeDamaged(output);
  await runStep('Installing again, with fresh downloads', 'npx', [...INSTALL, '--force'], { cwd: root });
}

async function build() {
  const env = { TURBO_TELEMETRY_DISABLED: '1' };
  const { isDone, output, known } = await tryStep('Building', 'npx', [...turboRun, 'build'], { cwd: root, env });
  if (isDone) return;
  if (known || !DAMAGED_DEPENDENCY.test(output)) {
    if (!known) process.stderr.write(output.split('\n').slice(-40).join('\n'));
    fail(known ?? 'Building failed; the lines above say why.');
  }
  await install('Installing again, because a dependency is damaged', ['--force']);
  await runStep('Building again', 'npx', [...turboRun, 'build', '--force'], { cwd: root, env });
}

const DAMAGED_DEPENDENCY =
  /(cannot find (module|package)|err_module_not_found|enoent|unexpected end|syntaxerror)[^\n]*node_modules|node_modules[^\n]*(syntaxerror|enoent|not found)/i;

/** Dependencies, and the copy of pnpm that npx keeps if the failure names it. */
function removeDamaged(output) {
  const npx = /[^\s'"(]*[\\/]_npx[\\/][0-9a-f]{8,}/.exec(output)?.[0]?.replace(/^file:\/\//, '');
  const folders = ['.', ...packageFolders()].map((folder) => join(root, folder, 'node_modules'));
  for (const folder of [...folders, ...(npx ? [npx] : [])]) rmSync(folder, { recursive: true, force: true });
}

/** Whether every file that the packages export or run is there. */
function isBuilt() {
  return packageFolders().every((folder) => {
    const { exports = {}, bin = {} } = readJson(`${folder}/package.json`);
    const files = [...Object.values(exports).flatMap((entry) => Object.values(entry)), ...Object.values(bin)];
    return files.every((file) => file.includes('*') || existsSync(join(root, folder, file)));
  });
}

function manifests() {
  const own = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', 'turbo.json', 'tsconfig.base.json'];
  return [
    ...own.map((name) => join(root, name)),
    ...packageFolders().map((folder) => join(root, folder, 'package.json')),
  ];
}

function sources() {
  const rooms = ['src', 'python', 'web', 'assets'];
  return packageFolders().flatMap((folder) => rooms.flatMap((room) => filesIn(join(root, folder, room))));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Size and time of change tell well enough, and reading every file would take longer than the start may. */
function hashOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(stamp) {
  mkdirSync(join(stampFile, '..'), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(stamp));
}
