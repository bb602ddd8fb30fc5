// sbom.mjs [FOLDER]: a CycloneDX bill of materials of everything that users install, checked for completeness.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageFolders, readJson, root } from '../workspace.mjs';
import { tally } from './list-tools.mjs';

const { packageManager } = readJson('package.json');
const { check, end } = tally();
const target = process.argv[2];
const folder = target ? resolve(target) : mkdtempSync(join(tmpdir(), 'atoll-sbom-'));
mkdirSync(folder, { recursive: true });
const file = join(folder, 'atoll.cdx.json');

try {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--prod', '--lockfile-only'];
  const made = spawnSync('npx', ['--yes', packageManager, ...args, '--out', file], { cwd: root, encoding: 'utf8' });
  await check('the bill of materials is made', () => {
    if (made.status !== 0) throw new Error(`${made.stdout}${made.stderr}`.slice(-2000));
  });
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8'));
  const byName = new Map(components.map((component) => [nameOf(component), component]));
  await check('it is CycloneDX', () => {
    if (bomFormat !== 'CycloneDX') throw new Error(`bomFormat is ${bomFormat}`);
  });
  for (const path of packageFolders()) {
    const { name, dependencies = {}, optionalDependencies = {} } = readJson(`${path}/package.json`);
    await check(`it names what ${name} installs, with hashes`, () => {
      for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
        if (dependency.startsWith('@atoll-mcp/')) continue;
        const hashes = byName.get(dependency)?.externalReferences?.flatMap((reference) => reference.hashes ?? []) ?? [];
        if (hashes.length === 0) throw new Error(`${dependency} is missing or has no hash`);
      }
    });
  }
} finally {
  if (!target) rmSync(folder, { recursive: true, force: true });
}
end();

function nameOf({ group, name }) {
  return group ? `${group}/${name}` : name;
}
