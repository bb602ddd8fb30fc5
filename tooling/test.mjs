// npm test [package…] [--built]: sets everything up, runs the tests of every package or of those named, and ends with one summary.
// What stands after -- goes to vitest. --built says that nothing has to be set up.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { setUpPython } from './set-up/python.mjs';
import { requirePrograms } from './set-up/requirements.mjs';
import { fail } from './set-up/run-step.mjs';
import { setUp } from './set-up/set-up.mjs';
import { runPackages } from './test/run-packages.mjs';
import { summaryOf } from './test/summary.mjs';
import { packageFolders, root } from './workspace.mjs';

const args = process.argv.slice(2);
const end = [...args, '--'].indexOf('--');
const more = args.slice(end + 1);
const names = args.slice(0, end).filter((word) => word !== '--built');
const all = packageFolders().filter((folder) => existsSync(join(root, folder, 'test')));
const folders = all.filter(
  (folder) => names.length === 0 || names.includes(folder) || names.includes(folder.split('/')[1]),
);
const unknown = names.filter((name) => !all.some((folder) => folder === name || folder.endsWith(`/${name}`)));
if (unknown.length > 0) fail(`There is no package "${unknown[0]}" with tests. There are: ${all.join(', ')}.`);

requirePrograms(['git']);
if (!args.includes('--built')) await setUp();
await setUpPython();

const started = Date.now();
const running = new Map();
const say = (line) => process.stdout.write(`${clear}${line}\n`);
const isTerminal = process.stdout.isTTY;
const clear = isTerminal ? '\r\x1b[K' : '';
// On a terminal the last line always shows what runs; in a log one line a minute is enough.
const ticker = setInterval(() => showRunning(), isTerminal ? 1_000 : 60_000);
say(`Testing ${folders.length} packages, two side by side; failures are shown as they come.`);
const reports = await runPackages(folders, {
  more,
  onStart: (folder) => running.set(folder, Date.now()),
  onEnd: (report) => {
    running.delete(report.folder);
    const { folder, passed, failures, leftOut, seconds } = report;
    const rest = `${failures.length ? `, ${failures.length} failed` : ''}${leftOut.length ? `, ${leftOut.length} left out` : ''}`;
    if (failures.length > 0) say(`\n── ${folder}\n${withoutPassed(report.output)}`);
    say(`${failures.length > 0 ? '✗' : '✓'} ${folder}: ${passed} passed${rest} (${seconds.toFixed(0)} s)`);
  },
});
clearInterval(ticker);
const { text, isGood } = summaryOf(reports, {
  seconds: (Date.now() - started) / 1000,
  isStrict: Boolean(process.env.CI) && process.platform === 'linux',
});
process.stdout.write(`${clear}${text}`);
process.exit(isGood ? 0 : 1);

function showRunning() {
  const parts = [...running].map(([folder, since]) => `${folder} (${Math.round((Date.now() - since) / 1000)} s)`);
  const line = `running: ${parts.join(', ')}`;
  process.stdout.write(isTerminal ? `${clear}${line}` : `${line}\n`);
}

function withoutPassed(output) {
  return output
    .split('\n')
    .filter((line) => !/^\s*[✓↓]/.test(stripVTControlCharacters(line)))
    .join('\n');
}
