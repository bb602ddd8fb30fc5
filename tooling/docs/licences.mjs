// Writes docs/licences.md, what every package brings along and under which licence; with --check says that it is stale.
// A licence that is not permissive is an error either way.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermissive, readLicence } from '../permissive.mjs';
import { readJson, root } from '../workspace.mjs';

const target = join(root, 'docs/licences.md');
const { packageManager } = readJson('package.json');
const args = ['--yes', packageManager, '-r', 'licenses', 'list', '--prod', '--json'];
const { stdout } = spawnSync('npx', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const byLicence = Object.entries(withRead(JSON.parse(stdout))).sort(([one], [other]) => (one < other ? -1 : 1));

for (const [licence, packages] of byLicence) {
  if (isPermissive(licence)) continue;
  console.error(`${licence} is not permissive: ${packages.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}

const text = `${[
  '# Licences',
  'Atoll is under [Apache-2.0](../LICENSE). This is what its packages bring along when they are installed with everything optional, on Linux x64; made by `pnpm run docs`.',
  ...byLicence.flatMap(([licence, packages]) => [`## ${licence}`, namesOf(packages).join(', ')]),
].join('\n\n')}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (process.platform !== 'linux' || process.arch !== 'x64') console.error('compared on Linux x64 only');
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('docs/licences.md is stale; run "pnpm run docs"');
  process.exitCode = 1;
}

function withRead({ Unknown: unknown = [], ...known }) {
  const named = { ...known };
  for (const entry of unknown) {
    const licence = readLicence(entry.name) ?? 'Unknown';
    named[licence] = [...(named[licence] ?? []), entry];
  }
  return named;
}

function namesOf(packages) {
  return packages
    .map(({ name }) => `\`${name}\``)
    .filter((name) => !name.startsWith('`@atoll-mcp/'))
    .sort();
}
