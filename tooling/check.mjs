// pnpm check: the one gate. Build, generated files current, types, lint, then every test.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setUp, turboRun } from './set-up/set-up.mjs';
import { root } from './workspace.mjs';

await setUp();
const turbo = ['npx', ...turboRun];
const biome = [process.execPath, join(root, 'node_modules/@biomejs/biome/bin/biome')];
const steps = [
  ['generated files are current', [...turbo, 'docs:check']],
  ['the reference is current', [process.execPath, join(root, 'tooling/docs/reference.mjs'), '--check']],
  ['the page on configuration is current', [process.execPath, join(root, 'tooling/docs/configuration.mjs'), '--check']],
  [
    'licences are permissive, and their list is current',
    [process.execPath, join(root, 'tooling/docs/licences.mjs'), '--check'],
  ],
  ['clients of the last release still work', [process.execPath, join(root, 'tooling/release/compatibility.mjs')]],
  ['types', [...turbo, 'typecheck']],
  ['lint', [...biome, 'check', '--error-on-warnings', '.']],
  ...(process.argv.includes('--no-tests') ? [] : [['tests', [process.execPath, join(root, 'tooling/test.mjs')]]]),
];
let failed = 0;
for (const [title, [command, ...args]] of steps) {
  process.stdout.write(`\n── ${title}\n`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: command === 'npx' && process.platform === 'win32',
  });
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${title}\n`);
  if (status !== 0) failed += 1;
}
process.stdout.write(`${steps.length - failed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
