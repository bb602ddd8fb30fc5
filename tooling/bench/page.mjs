// Turns .cache/bench/latest.json into docs/benchmarks.md. `pnpm bench` without words does so by itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { benchmarks } from './benchmarks.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ASIDE = ['bench', 'file', 'holds'];

export function writePage() {
  const run = JSON.parse(readFileSync(`${root}.cache/bench/latest.json`, 'utf8'));
  writeFileSync(`${root}docs/benchmarks.md`, pageOf(run));
}

export function pageOf({ machine, date, isLong, results }) {
  const files = [...new Set(results.map(({ file }) => file))];
  const kept = results.filter(({ holds }) => holds === true).length;
  const judged = results.filter(({ holds }) => holds !== undefined).length;
  return `${[
    '# Benchmarks',
    'Made by `pnpm bench` from its last run, with what was measured again since. Times are those of one machine on one day; what carries over are the ratios, each taken in the same run against a floor (bare Node, bare NumPy, a plain SQLite) or a peer.',
    table(
      ['', ''],
      [
        ['Date', date.slice(0, 10)],
        ['Machine', `${machine.cpu ?? machine.platform}, ${machine.cores} cores, ${machine.memory_gb} GB`],
        ['Platform', `${machine.platform}, Node ${machine.node}`],
        ['Load before the run', machine.load === undefined ? 'not noted' : `${machine.load} per core`],
        ['Mode', isLong ? 'long' : 'short'],
        ['Targets', `${kept} of ${judged} hold`],
      ],
    ),
    ...files.flatMap((file) =>
      section(
        file,
        results.filter((result) => result.file === file),
      ),
    ),
    ...unmeasured(files),
    '## Repeat it',
    [
      '```sh',
      'pnpm bench                  # all of them, short; writes this page',
      'pnpm bench --long           # with the sizes and times that take longer',
      'pnpm bench tensor slice     # only those whose path has one of these words; leaves this page alone',
      '```',
    ].join('\n'),
    'Peers are installed on demand into `.cache/` and are not dependencies of the project. Close other programs first: on a busy machine ratios hold better than times, and not always.',
  ].join('\n\n')}\n`;
}

function unmeasured(files) {
  const missing = benchmarks().filter((path) => !files.includes(path));
  return missing.length === 0
    ? []
    : ['## Not measured in this run', missing.map((path) => `[${path}](../${path})`).join(', ')];
}

function section(file, results) {
  const rows = results.map((result) => [
    result.bench,
    Object.entries(result)
      .filter(([key]) => !ASIDE.includes(key))
      .map(([key, value]) => `${key.replaceAll('_', ' ')} ${shown(value)}`)
      .join(' · '),
    result.holds === undefined ? '–' : result.holds ? 'holds' : '**does not hold**',
  ]);
  return [
    `## ${file.replace('/bench/', ': ').replace('.mjs', '')}`,
    `[Source](../${file})`,
    table(['Benchmark', 'Figures', 'Target'], rows),
  ];
}

function shown(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function table(titles, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
