// node tooling/release/compatibility.mjs [folder]: what breaks clients of the last release of each server, by the snapshots in its
// contract/. A breaking change needs a changeset that says `major`. Packages that were never released are left out.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compatibility } from '../../packages/testing/dist/compatibility.js';
import { root as ownRoot } from '../workspace.mjs';

const root = process.argv[2] ?? ownRoot;
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 });
const majors = majorChangesets();
let broken = 0;
for (const folder of foldersWithContracts()) {
  const { name } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const tag = lastTag(name);
  if (tag === undefined) {
    console.log(`${name}: not released yet`);
    continue;
  }
  const found = compatibility({ tools: releasedTools(tag, folder) }, { tools: currentTools(folder) });
  const isAllowed = majors.has(name);
  console.log(
    `${name}: ${found.length} breaking changes since ${tag}${isAllowed ? ', and a changeset says major' : ''}`,
  );
  for (const { tool, place, reason } of found) console.log(`  ${tool} ${place}: ${reason}`);
  if (found.length > 0 && !isAllowed) broken += 1;
}
if (broken > 0) console.error('Keep what clients rely on, or add a changeset with "major" for the package.');
process.exit(broken > 0 ? 1 : 0);

function foldersWithContracts() {
  return ['packages', 'apps']
    .filter((group) => existsSync(join(root, group)))
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'contract')));
}

/** Changesets tags a release as `name@version`. */
function lastTag(name) {
  return git('tag', '--list', `${name}@*`, '--sort=-version:refname', '--merged', 'HEAD').split('\n').find(Boolean);
}

function releasedTools(tag, folder) {
  const files = git('ls-tree', '--name-only', tag, `${folder}/contract/`).split('\n').filter(isToolFile);
  return files.map((path) => JSON.parse(git('show', `${tag}:${path}`)));
}

function currentTools(folder) {
  const files = readdirSync(join(root, folder, 'contract')).filter(isToolFile);
  return files.map((file) => JSON.parse(readFileSync(join(root, folder, 'contract', file), 'utf8')));
}

/** `_server.json` holds what is not a tool. */
function isToolFile(path) {
  return path.endsWith('.json') && !path.endsWith('/_server.json') && path !== '_server.json';
}

function majorChangesets() {
  const folder = join(root, '.changeset');
  const texts = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : [];
  return new Set(
    texts.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^'([^']+)': major$/gm)].map(([, name]) => name),
    ),
  );
}
