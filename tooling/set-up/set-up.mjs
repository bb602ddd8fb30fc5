// Brings a fresh clone to the point where its programs run: dependencies, then a build. Does nothing when nothing changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, readJson, root } from '../workspace.mjs';
import { fail, runStep } from './run-step.mjs';

const stampFile = join(root, 'node_modules', '.cache', 'atoll-set-up.json');
const { packageManager, engines } = readJson('package.json');
const pnpm = ['--yes', packageManager];

/** For npx. Turbo looks for pnpm on the path, where it is not unless pnpm itself has called. */
export const turboRun = [...pnpm, 'exec', 'turbo', 'run', '--output-logs=errors-only'];

export async function setUp() {
  requireNode();
  const wanted = { install: hashOf(manifests()), build: hashOf([...manifests(), ...sources()]) };
  const done = readStamp();
  if (done.install !== wanted.install || !existsSync(join(root, 'node_modules/.bin'))) {
    const install = [...pnpm, 'install', '--frozen-lockfile', '--reporter=append-only'];
    await runStep('Installing dependencies', 'npx', install, { cwd: root });
    writeStamp({ install: wanted.install });
  }
  if (done.build !== wanted.build || !existsSync(join(root, 'apps/aggregator/dist/cli.js'))) {
    const env = { TURBO_TELEMETRY_DISABLED: '1' };
    await runStep('Building', 'npx', [...turboRun, 'build'], { cwd: root, env });
    writeStamp(wanted);
  }
}

function requireNode() {
  const least = engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  fail(
    `Atoll needs Node ${least} or later; this is ${process.versions.node}. Install a current Node and run the command again.`,
  );
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
