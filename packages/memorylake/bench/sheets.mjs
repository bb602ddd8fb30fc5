// Workbooks against Excel's own CSV of each sheet: in how many files every cell is equal. Peers: openpyxl and xlrd.
// --show FILE prints the cells that differ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvRecords, differences } from './_excel-cells.mjs';
import { round } from './_peer.mjs';
import { pythonPeer } from './_python-peers.mjs';
import { folder, readRealFile, realFiles } from './_real-files.mjs';

const TARGET = 0.95;
const shown = process.argv.includes('--show') ? (process.argv[process.argv.indexOf('--show') + 1] ?? '') : undefined;
const formats = {
  xlsx: { extensions: ['xlsx', 'xlsm'], peer: 'openpyxl' },
  xls: { extensions: ['xls'], peer: 'xlrd' },
  xlsb: { extensions: ['xlsb'] },
  xml: { extensions: ['xml'] },
};

for (const [format, { extensions, peer }] of Object.entries(formats)) {
  const files = realFiles(...extensions).filter(({ expected = [] }) => expected.some((path) => path.endsWith('.csv')));
  if (files.length === 0) continue;
  const theirs = peer ? pythonPeer(peer, files) : new Map();
  const equal = { ours: 0, theirs: 0 };
  for (const entry of files) {
    const found = await readRealFile(join(folder, entry.file));
    const wrong = wrongCells(entry, found.sheets);
    if (wrong.length === 0) equal.ours++;
    else if (shown !== undefined && entry.file.includes(shown)) show(entry.file, found.reason, wrong);
    const other = theirs
      .get(entry.file)
      ?.sheets?.map(({ rows }) => ({ rows: new Map(rows.map((row, at) => [at + 1, row])) }));
    if (other && wrongCells(entry, other).length === 0) equal.theirs++;
  }
  const share = equal.ours / files.length;
  const figure = { bench: `memorylake/sheets-${format}`, files: files.length, equal: round(share, 3) };
  if (peer) figure[peer] = round(equal.theirs / files.length, 3);
  process.stdout.write(`${JSON.stringify({ ...figure, target: TARGET, holds: share >= TARGET })}\n`);
}

function wrongCells({ expected }, sheets) {
  return expected.flatMap((path) => {
    const at = Number(/\.(\d+)\.csv$/.exec(path)?.[1] ?? 0);
    const bytes = readFileSync(join(folder, path));
    const text = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
    // Sheets that are only a chart have a number in Excel and no rows.
    const tried = [sheets[at], sheets[at - 1]].map((sheet) => differences(sheet?.rows ?? new Map(), csvRecords(text)));
    return tried.sort((a, b) => a.length - b.length)[0].map((cell) => [at, ...cell]);
  });
}

function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function show(file, reason, wrong) {
  process.stderr.write(`${file}: ${wrong.length} cells ${reason ?? ''}\n`);
  for (const cell of wrong.slice(0, 6)) process.stderr.write(`  ${JSON.stringify(cell)}\n`);
}
