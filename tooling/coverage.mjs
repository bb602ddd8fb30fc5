// pnpm coverage [package…]: runs the tests with coverage and prints, for each package, which part of its lines they run.
// Programs that tests start as processes of their own are not counted, so the figure is a lower bound.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUpPython } from './set-up/python.mjs';
import { setUp } from './set-up/set-up.mjs';
import { packageFolders, root } from './workspace.mjs';

await setUp();
await setUpPython();
const names = process.argv.slice(2);
const folders = packageFolders().filter(
  (folder) => existsSync(join(root, folder, 'test')) && (names.length === 0 || names.includes(folder.split('/')[1])),
);
const reports = mkdtempSync(join(tmpdir(), 'atoll-coverage-'));
const rows = folders.map((folder) => ({ folder, lines: linesOf(folder) }));
rmSync(reports, { recursive: true, force: true });
const total = { covered: 0, total: 0 };
for (const { lines } of rows) for (const key of ['covered', 'total']) total[key] += lines?.[key] ?? 0;
console.log('| Package | Lines | Covered |\n| --- | --- | --- |');
for (const { folder, lines } of rows) console.log(rowOf(folder, lines));
console.log(rowOf('all', total));
process.exit(rows.every(({ lines }) => lines) ? 0 : 1);

function linesOf(folder) {
  const target = join(reports, folder.replace('/', '-'));
  const options = [
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.include=src/**',
    '--coverage.reporter=json-summary',
  ];
  const timeouts = ['--testTimeout=120000', '--hookTimeout=240000', '--reporter=dot'];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  spawnSync(process.execPath, [vitest, 'run', ...timeouts, ...options, `--coverage.reportsDirectory=${target}`], {
    cwd: join(root, folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const summary = join(target, 'coverage-summary.json');
  return existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')).total.lines : undefined;
}

function rowOf(name, lines) {
  if (!lines) return `| ${name} | the tests failed | |`;
  return `| ${name} | ${lines.total} | ${((100 * lines.covered) / lines.total).toFixed(1)} % |`;
}
