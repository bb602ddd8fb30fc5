// Runs vitest in several packages side by side, the longest first, and reads what each reports.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir } from '../cache.mjs';
import { root } from '../workspace.mjs';

/** Each with as many files at once as there are cores: tests wait about half of their time, for processes and for the disk. */
const SIDE_BY_SIDE = 2;
/** A busy machine is slow, not wrong. */
const TIMEOUTS = ['--testTimeout=120000', '--hookTimeout=240000'];
/** A whole file that a package's configuration leaves out. */
const LEFT_OUT = /^Left out: (\S+) \(needs ([a-z0-9-]+)/gm;
const timesFile = () => join(cacheDir(), 'test-times.json');

/** Calls `onStart(folder)` and `onEnd(report)` as packages start and end; resolves to all reports. */
export async function runPackages(folders, { more = [], onStart, onEnd }) {
  const workers = `--maxWorkers=${os.availableParallelism()}`;
  const queue = longestFirst(folders);
  const reports = [];
  const results = mkdtempSync(join(os.tmpdir(), 'atoll-test-'));
  const work = async () => {
    for (let folder = queue.shift(); folder; folder = queue.shift()) {
      onStart(folder);
      const report = await runPackage(folder, join(results, `${reports.length}-${folder.split('/')[1]}.json`), [
        workers,
        ...more,
      ]);
      reports.push(report);
      onEnd(report);
    }
  };
  try {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  if (more.length === 0) keepTimes(reports);
  return reports;
}

async function runPackage(folder, outputFile, more) {
  const started = Date.now();
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const { code, output } = await run(process.execPath, [vitest, 'run', ...TIMEOUTS, ...reporters, ...more], {
    cwd: join(root, folder),
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  });
  const report = { folder, seconds: (Date.now() - started) / 1000, output, passed: 0, failures: [], leftOut: [] };
  const files = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')).testResults : [];
  for (const { name, status, message, assertionResults } of files) {
    const file = name.slice(join(root, folder).length + 1);
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      report.failures.push({ file, reason: message.split('\n')[0] });
    for (const test of assertionResults) {
      if (test.status === 'passed') report.passed += 1;
      else if (test.status === 'failed') report.failures.push({ file, name: test.fullName });
      else report.leftOut.push({ file, name: test.fullName, needs: test.meta?.needs });
    }
  }
  for (const [, file, needs] of output.matchAll(LEFT_OUT)) report.leftOut.push({ file, needs });
  // A run that ends badly without a failed test has still failed.
  if (code !== 0 && report.failures.length === 0) report.failures.push({ reason: `vitest ended with ${code}` });
  return report;
}

function run(command, args, options) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const end = (code, more = '') => resolve({ code, output: Buffer.concat(chunks).toString() + more });
    child.once('error', (error) => end(1, error.message));
    child.once('close', (code, signal) => end(code ?? signal));
  });
}

/** By the times of the last whole run on this machine; a package without one counts by the size of its tests. */
function longestFirst(folders) {
  const times = readTimes();
  const known = folders.filter((folder) => times[folder]);
  const perByte = known.length
    ? known.reduce((sum, folder) => sum + times[folder], 0) / known.reduce((sum, folder) => sum + bytesOf(folder), 0)
    : 1;
  const weight = new Map(folders.map((folder) => [folder, times[folder] ?? bytesOf(folder) * perByte]));
  return [...folders].sort((one, other) => weight.get(other) - weight.get(one));
}

const bytesOf = (folder) => sizeOf(join(root, folder, 'test'));

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(path);
    return sum + (/\.[mc]?[jt]sx?$/.test(entry.name) ? statSync(path).size : 0);
  }, 1);
}

function readTimes() {
  try {
    const times = JSON.parse(readFileSync(timesFile(), 'utf8'));
    return Object.fromEntries(Object.entries(times).filter(([, seconds]) => seconds > 0));
  } catch {
    return {};
  }
}

function keepTimes(reports) {
  const times = Object.fromEntries(reports.map(({ folder, seconds }) => [folder, Math.round(seconds)]));
  try {
    mkdirSync(dirname(timesFile()), { recursive: true, mode: 0o755 });
    writeFileSync(timesFile(), JSON.stringify({ ...readTimes(), ...times }));
  } catch {
    // Only the order of the next run depends on it.
  }
}
