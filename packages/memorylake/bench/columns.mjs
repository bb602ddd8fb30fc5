// The numeric columns of real CSV files: MIN, MAX, SUM, AVG and COUNT as SQL has them against the same counted exactly from the
// cells. A column is right when all five are equal, told when it says that it is mixed or text, and otherwise silently wrong.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvFolder } from './_python-peers.mjs';
import { folder, readRealFile, realFiles, typedTable } from './_real-files.mjs';

realFiles();
const paths = [folder, csvFolder()].flatMap((place) =>
  readdirSync(place, { recursive: true })
    .filter((name) => name.endsWith('.csv'))
    .map((name) => join(place, name)),
);
const reference = spawnSync('python3', [fileURLToPath(new URL('./_columns.py', import.meta.url))], {
  input: paths.join('\n'),
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
});
const counts = { files: 0, columns: 0, right: 0, mixed: 0, text: 0, wrong: 0 };
for (const line of reference.stdout.trim().split('\n')) {
  const file = JSON.parse(line);
  const numeric = file.columns.map((column, at) => ({ ...column, at })).filter(isNumeric);
  if (numeric.length === 0) continue;
  const found = await readRealFile(file.path);
  if (!found.ok) continue;
  counts.files++;
  const sheet = found.sheets[0];
  const table = await typedTable(file.path, found.format, sheet.name);
  const header = sheet.rows.size - table.rows.length;
  for (const column of numeric) judge(file.path, column, header, table);
}
const { wrong } = counts;
process.stdout.write(`${JSON.stringify({ bench: 'memorylake/columns', ...counts, target: 0, holds: wrong === 0 })}\n`);

/** Most of what it holds below its first row are numbers. */
function isNumeric({ filled, numbers }) {
  const cells = filled.slice(1).filter(Boolean).length;
  const count = numbers.slice(1).filter((number, at) => number !== null && filled[at + 1]).length;
  return count > 1 && count > cells * 0.5;
}

function judge(path, { at, cells, filled, numbers }, header, table) {
  counts.columns++;
  const column = table.columns[at];
  const say = (verdict) => {
    counts[verdict]++;
    if (process.argv.includes('--show') && verdict !== 'right')
      process.stderr.write(
        `${verdict} ${path.split('/').at(-1)} ${at} ${JSON.stringify(column)} ${JSON.stringify(cells)}\n`,
      );
  };
  if (column === undefined) return say('wrong');
  const wanted = numbers.slice(header).filter((number, index) => number !== null && filled[header + index]);
  const others = filled.slice(header).filter(Boolean).length - wanted.length;
  if (column.type === 'text' || column.type === 'date' || column.type === 'datetime')
    return say(column.share < 1 || others > 0 || column.note ? 'mixed' : 'text');
  const values = table.rows.map((row) => row[at]).filter((value) => value !== null);
  const isEqual = others === 0 && areEqual(aggregates(values.map(Number)), aggregates(wanted.map(Number)));
  if (isEqual) return say('right');
  say(column.share < 1 ? 'mixed' : 'wrong');
}

function aggregates(values) {
  const sum = values.reduce((total, value) => total + value, 0);
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const greatest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return [least, greatest, sum, sum / values.length, values.length];
}

function areEqual(ours, theirs) {
  return ours.every(
    (value, at) => value === theirs[at] || Math.abs(value - theirs[at]) <= Math.abs(theirs[at]) * 1e-12,
  );
}
