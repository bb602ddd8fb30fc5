// npm test: sets everything up, then runs the tests of every package and adds up what they say.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUpPython } from './set-up/python.mjs';
import { setUp } from './set-up/set-up.mjs';
import { root } from './workspace.mjs';

/** A busy machine is slow, not wrong. */
const PATIENCE = ['--testTimeout=60000', '--hookTimeout=120000'];

await setUp();
await setUpPython();

const only = process.argv.slice(2);
const results = mkdtempSync(join(tmpdir(), 'atoll-test-'));
const total = { passed: 0, failed: 0 };
for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    const folder = join(root, group, name);
    if (!existsSync(join(folder, 'test')) || (only.length > 0 && !only.includes(name))) continue;
    process.stdout.write(`\n── ${group}/${name}\n`);
    add(runTests(folder, join(results, `${name}.json`)), name);
  }
}
rmSync(results, { recursive: true });
if (total.passed + total.failed === 0) total.failed += 1;
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed > 0 ? 1 : 0);

function runTests(folder, outputFile) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...PATIENCE, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  if (!existsSync(outputFile)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  const failed =
    report.numFailedTests +
    report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
      .length;
  // A run that ends badly without a failed test has still failed.
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

function add({ passed, failed }, name) {
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) process.stdout.write(`${name}: ${failed} failed\n`);
}
