// pnpm bench [words…] [--long]: runs every package's benchmarks whose path contains a word, one after another,
// and writes what they print as JSON lines to .cache/bench/latest.json, where a run of some replaces only theirs. A run of
// all also writes docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setUp } from '../set-up/set-up.mjs';
import { root } from '../workspace.mjs';
import { benchmarks } from './benchmarks.mjs';
import { writePage } from './page.mjs';

await setUp();
const isLong = process.argv.includes('--long');
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const load = Number((loadavg()[0] / cpus().length).toFixed(1));
const results = [];
for (const path of benchmarks().filter((path) => words.length === 0 || words.some((word) => path.includes(word)))) {
  process.stdout.write(`\n── ${path}\n`);
  const { stdout, status } = spawnSync(process.execPath, [join(root, path), ...(isLong ? ['--long'] : [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stdout.write(stdout);
  results.push(
    ...stdout
      .split('\n')
      .flatMap(figures)
      .map((figure) => ({ ...figure, file: path })),
  );
  if (status !== 0) results.push({ bench: path, file: path, holds: false, error: `ended with ${status}` });
}
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model.trim(),
  load,
  platform: `${process.platform} ${process.arch}`,
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
};
const latest = join(root, '.cache/bench/latest.json');
mkdirSync(dirname(latest), { recursive: true });
const isPart = words.length > 0 && existsSync(latest);
const run = isPart
  ? withResults(JSON.parse(readFileSync(latest, 'utf8')))
  : { machine, date: new Date().toISOString(), isLong, results };
writeFileSync(latest, `${JSON.stringify(run, null, 2)}\n`);
if (words.length === 0) writePage();
process.stdout.write(
  `\n${results.filter(({ holds }) => holds !== false).length} figures hold, ${results.filter(({ holds }) => holds === false).length} do not\n`,
);

function withResults(before) {
  const kept = before.results.filter(({ file }) => !results.some((result) => result.file === file));
  const order = benchmarks();
  const all = [...kept, ...results].sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file));
  return { ...before, results: all };
}

function figures(line) {
  if (!line.startsWith('{"bench"')) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
