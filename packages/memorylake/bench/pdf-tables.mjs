// Tables in PDF files against the ground truth of the ICDAR 2013 table competition (`NAME-str.xml`, in the folder that
// MEMORYLAKE_BENCH_TABLES names or .cache/table-truth). Peers: pdfplumber and camelot. A table is found when a table on its page
// has at least half of its cells' words; a cell is right when it stands in a row and a column with its neighbours.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { round } from './_peer.mjs';
import { pythonPeer } from './_python-peers.mjs';
import { cache, folder, readRealFile, realFiles } from './_real-files.mjs';

const truthFolder = process.env.MEMORYLAKE_BENCH_TABLES ?? join(cache, 'table-truth');
const seen = new Set();
const files = realFiles('pdf').filter(({ file }) => {
  const name = basename(file, '.pdf');
  // Other collections use the same names for other files.
  if (!file.includes('icdar2013') || seen.has(name) || !existsSync(join(truthFolder, `${name}-str.xml`))) return false;
  seen.add(name);
  return true;
});
if (files.length === 0) {
  process.stderr.write('left out: there is no ground truth of tables (MEMORYLAKE_BENCH_TABLES)\n');
  process.exit(0);
}

const readers = { ours: new Map(), pdfplumber: pythonPeer('pdfplumber', files), camelot: pythonPeer('camelot', files) };
for (const { file } of files) {
  const { tables } = await readRealFile(join(folder, file));
  readers.ours.set(file, { tables: tables.map(({ page, rows }) => ({ page, rows: rows.map(({ cells }) => cells) })) });
}
const figures = {};
for (const [reader, results] of Object.entries(readers)) {
  const total = { tables: 0, found: 0, neighbours: 0, right: 0, given: 0 };
  for (const { file } of files) {
    for (const truth of truthOf(basename(file, '.pdf'))) {
      const best = bestOf(truth, results.get(file)?.tables ?? []);
      total.tables++;
      total.found += best.found;
      total.neighbours += best.found ? best.wanted : 0;
      total.right += best.found ? best.right : 0;
      total.given += best.found ? best.given : 0;
      if (reader === 'ours' && process.argv.includes('--show'))
        process.stderr.write(`${basename(file)} p${truth.page}: ${JSON.stringify(best)}\n`);
    }
  }
  figures[reader] = {
    found: round(total.found / total.tables, 3),
    cells_right: round(total.right / total.neighbours, 3),
    precision: round(total.right / total.given, 3),
  };
  figures.tables = total.tables;
}
const { tables, ours, ...peers } = figures;
const holds = ours.found >= 0.8 && ours.cells_right >= 0.85;
process.stdout.write(`${JSON.stringify({ bench: 'memorylake/pdf-tables', tables, ...ours, ...peers, holds })}\n`);

/** Each region of a table on one page: its cells in a grid. */
function truthOf(name) {
  const xml = readFileSync(join(truthFolder, `${name}-str.xml`), 'utf8');
  return [...xml.matchAll(/<region\b([^>]*)>(.*?)<\/region>/gs)].map(([, tag, inside]) => {
    const number = (text, key, other) => Number(new RegExp(`\\b${key}=['"](-?\\d+)`).exec(text)?.[1] ?? other);
    const rows = [];
    for (const [, cell, body] of inside.matchAll(/<cell\b([^>]*)>(.*?)<\/cell>/gs)) {
      const [row, column] = [number(cell, 'start-row', 0), number(cell, 'start-col', 0)];
      const content = /<content>(.*?)<\/content>/s.exec(body)?.[1] ?? '';
      for (let down = row; down <= number(cell, 'end-row', row); down++) {
        rows[down] ??= [];
        for (let across = column; across <= number(cell, 'end-col', column); across++)
          rows[down][across] = plain(content);
      }
    }
    return {
      page: number(tag, 'page', 1),
      rows: Array.from(rows, (row) => Array.from(row ?? [], (cell) => cell ?? '')),
    };
  });
}

function bestOf(truth, tables) {
  const wanted = pairsOf(truth.rows);
  const words = (rows) =>
    rows
      .flat()
      .map(plain)
      .filter((cell) => cell !== '');
  const own = words(truth.rows);
  let best = { found: 0, right: 0, wanted: wanted.length, given: 0 };
  for (const { page, rows } of tables) {
    if (page !== truth.page) continue;
    const pool = words(rows).join('');
    const share = own.filter((cell) => pool.includes(cell)).length / own.length;
    const pairs = pairsOf(rows.map((row) => row.map((cell) => plain(cell))));
    const right = common(wanted, pairs);
    if (share >= 0.5 && right >= best.right) best = { found: 1, right, wanted: wanted.length, given: pairs.length };
  }
  return best;
}

/** Cells that stand beside or above each other, the measure of the competition; empty cells are passed over. */
function pairsOf(rows) {
  const pairs = [];
  const link = (line, way) => {
    const filled = line.filter((cell, at) => cell !== '' && cell !== line[at - 1]);
    for (let at = 1; at < filled.length; at++) pairs.push(`${filled[at - 1]}${way}${filled[at]}`);
  };
  for (const row of rows) link(row, '→');
  const width = Math.max(0, ...rows.map((row) => row.length));
  for (let at = 0; at < width; at++)
    link(
      rows.map((row) => row[at] ?? ''),
      '↓',
    );
  return pairs;
}

function common(wanted, given) {
  const bag = new Map();
  for (const pair of given) bag.set(pair, (bag.get(pair) ?? 0) + 1);
  return wanted.filter((pair) => {
    const left = bag.get(pair) ?? 0;
    if (left > 0) bag.set(pair, left - 1);
    return left > 0;
  }).length;
}

function plain(cell) {
  return String(cell ?? '')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/[^\p{L}\p{N}%$€.,()-]/gu, '');
}
