import type { Box, Cell, DocumentTable } from '../document.ts';
import { type PageLine, type PageWord, unionOf } from '../text/page-lines.ts';
import { headerOf, heightOf, isFigure, rowsOfWords, textOf } from './text-rows.ts';

type WordRow = readonly PageWord[];

interface Piece {
  readonly words: readonly PageWord[];
  readonly box: Box;
}

const LEAST_COLUMNS = 2;
const LEAST_ROWS = 3;
const MOST_HEADER_ROWS = 6;
/** Rows such as "Actual" or "Northern region" that part a table into groups. */
const MOST_ROWS_BETWEEN = 2;

/** Tables that no lines are drawn around: rows of words with the same gaps between them. */
export function unruledTables(page: number, lines: readonly PageLine[]): DocumentTable[] {
  // Dots that lead to a page number are neither words nor columns.
  const rows = rowsOfWords(lines.flatMap((line) => line.words.filter(({ text }) => !/^[.·…_]+$/.test(text))));
  return runsOf(rows).flatMap((run) => tableOf(page, run) ?? []);
}

/** Rows that follow each other closely and have gaps. Runs with the same columns and little between them are one. */
function runsOf(rows: readonly WordRow[]): WordRow[][] {
  const runs: WordRow[][] = [];
  let run: WordRow[] = [];
  let between: WordRow[] = [];
  const end = () => {
    if (run.length > 0) runs.push(run);
    run = [];
    between = [];
  };
  for (let at = 0; at < rows.length; ) {
    const next = splitRows(rows, at);
    if (next.length === 0) {
      if (run.length > 0 && between.length < MOST_ROWS_BETWEEN) between.push(rows[at]!);
      else end();
      at++;
      continue;
    }
    if (run.length > 0 && goesOn(run, between, next)) run.push(...between, ...next);
    else {
      end();
      run = next;
    }
    between = [];
    at += next.length;
  }
  end();
  return runs;
}

/** The rows from one on that have gaps and stand close below each other. */
function splitRows(rows: readonly WordRow[], from: number): WordRow[] {
  const found: WordRow[] = [];
  for (let at = from; at < rows.length; at++) {
    const row = rows[at]!;
    const last = found.at(-1);
    if (piecesOf(row).length < LEAST_COLUMNS || (last && distance(last, row) >= tallest(row) * 1.6)) break;
    found.push(row);
  }
  return found;
}

function goesOn(run: readonly WordRow[], between: readonly WordRow[], next: readonly WordRow[]): boolean {
  const all = [run.at(-1)!, ...between, next[0]!];
  const isNear = all
    .slice(1)
    .every((row, at) => distance(all[at]!, row) < Math.max(tallest(row), tallest(all[at]!)) * 2.5);
  if (!isNear) return false;
  const whole = boxOf([...run, ...next].flat());
  const isLabel = (row: WordRow) => {
    const box = boxOf(row);
    return box[0] - whole[0] < tallest(row) * 4 && box[2] - box[0] < (whole[2] - whole[0]) * 0.6;
  };
  if (!between.every(isLabel)) return false;
  const columns = (some: readonly WordRow[]) => gapsOf(coreOf(some)).length + 1;
  const [before, after, together] = [columns(run), columns(next), columns([...run, ...next])];
  return together > LEAST_COLUMNS && together >= Math.max(after, run.length < LEAST_ROWS ? 0 : before);
}

function tableOf(page: number, run: readonly WordRow[]): DocumentTable | undefined {
  if (run.length < LEAST_ROWS) return undefined;
  const core = coreOf(run);
  const gaps = gapsOf(core);
  if (gaps.length === 0) return undefined;
  const headers = Math.min(MOST_HEADER_ROWS, headerRowsOf(run, core, gaps));
  const header = headerCells(run.slice(0, headers), core, gaps);
  const body = run.slice(headers).map((row) => ({ row, cells: cellsBetween(row, gaps) }));
  const cells = body.map((one) => one.cells);
  const full = cells.filter((line) => line.filter((cell) => cell !== null).length >= LEAST_COLUMNS).length;
  if (
    full < Math.min(LEAST_ROWS, cells.length) ||
    full < 2 ||
    full < cells.length * 0.6 ||
    isProse(run.slice(headers), gaps)
  )
    return undefined;
  const rows = [...header, ...body].map(({ row, cells: line }) => ({ cells: line, page, box: boxOf(row) }));
  if (rows.length < LEAST_ROWS) return undefined;
  return { headerRows: header.length > 0 ? header.length : headerOf(rows), rows, page };
}

/** The rows that show the columns best: those with several figures, or all with gaps where few have figures. */
function coreOf(run: readonly WordRow[]): WordRow[] {
  const split = run.filter((row) => piecesOf(row).length >= LEAST_COLUMNS);
  const figures = split.filter((row) => piecesOf(row).filter(({ words }) => isFigure(textOf(words))).length >= 2);
  return figures.length >= LEAST_ROWS ? figures : split;
}

/** Rows above the first with figures; years and the like above the columns are names too. */
function headerRowsOf(run: readonly WordRow[], core: readonly WordRow[], gaps: readonly number[]): number {
  let count = run.findIndex((row) => core.includes(row));
  const isYears = (row: WordRow) => {
    const [first, ...rest] = cellsBetween(row, gaps);
    return first === null && rest.every((cell) => cell === null || /^(?:19|20)\d\d\b/.test(String(cell)));
  };
  while (count < run.length - LEAST_ROWS && isYears(run[count]!)) count++;
  return count;
}

/** A name over several columns stands in each; lines without such names are one name over several lines. */
function headerCells(rows: readonly WordRow[], core: readonly WordRow[], gaps: readonly number[]) {
  const extents = extentsOf(core, gaps);
  const found: { row: PageWord[]; cells: Cell[]; spans: boolean }[] = [];
  for (const row of rows) {
    let spans = false;
    const cells: Cell[] = extents.map(() => null);
    for (const { words, box } of piecesOf(row)) {
      const covered = extents.flatMap(([left, right], at) => (box[0] < right && left < box[2] ? [at] : []));
      const columns = covered.length > 0 ? covered : [columnAt(gaps, (box[0] + box[2]) / 2)];
      if (columns.length > 1) spans = true;
      for (const at of columns) cells[at] = joined(cells[at]!, textOf(words));
    }
    const last = found.at(-1);
    if (!last || last.spans || spans) found.push({ row: [...row], cells, spans });
    else {
      last.cells = last.cells.map((cell, at) => joined(cell, cells[at]!));
      last.row.push(...row);
    }
  }
  return found;
}

const joined = (a: Cell, b: Cell): Cell => (a === null ? b : b === null ? a : `${a} ${b}`);

/** Text set in columns looks like a table, but fills its columns line by line and has few figures. */
function isProse(rows: readonly WordRow[], gaps: readonly number[]): boolean {
  const cells = rows.flatMap((row) => wordsBetween(row, gaps).map((words, column) => ({ words, column })));
  const filled = cells.filter(({ words }) => words.length > 0);
  const figures = filled.filter(({ words }) => isFigure(textOf(words))).length;
  // Wide blanks in justified lines give many columns with hardly a word in each.
  if (figures < filled.length * 0.2 && filled.length < cells.length * 0.5) return true;
  if (figures >= filled.length * 0.1) return false;
  const extents = extentsOf(rows, gaps);
  const isLong = ({ words, column }: (typeof filled)[number]) => {
    const [left, right] = extents[column]!;
    const [x0, , x1] = boxOf(words);
    return x1 - x0 > (right - left) * 0.85 && right - left > heightOf(words[0]!) * 8;
  };
  return filled.filter(isLong).length > filled.length * 0.5;
}

/** Words that stand close together. Figures are apart as soon as there is more than a blank between them. */
function piecesOf(row: WordRow): Piece[] {
  const pieces: { words: PageWord[]; box: Box }[] = [];
  for (const word of row) {
    const last = pieces.at(-1);
    const gap = last ? word.box[0] - last.box[2] : 0;
    const height = Math.max(heightOf(word), last ? heightOf(last.words.at(-1)!) : 0);
    const areFigures = isFigure(word.text) && isFigure(last?.words.at(-1)?.text);
    if (last && gap < (areFigures ? Math.max(3, height * 0.6) : Math.max(6, height * 0.9))) {
      last.words.push(word);
      last.box = unionOf([last.box, word.box]);
    } else pieces.push({ words: [word], box: word.box });
  }
  return pieces;
}

/** Where hardly a row has a word: the middles of the gaps between columns. */
function gapsOf(rows: readonly WordRow[]): number[] {
  const most = Math.floor(rows.length / 15);
  const edges = rows
    .flatMap((row) => piecesOf(row).flatMap(({ box }) => [[box[0], 1] as const, [box[2], -1] as const]))
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const gaps: number[] = [];
  let open = 0;
  let since: number | undefined;
  for (const [x, change] of edges) {
    const before = open;
    open += change;
    if (before > most && open <= most) since = x;
    else if (before <= most && open > most) {
      if (since !== undefined && x - since > 3) gaps.push((since + x) / 2);
      since = undefined;
    }
  }
  return gaps;
}

/** From where to where the words of each column stand. */
function extentsOf(rows: readonly WordRow[], gaps: readonly number[]): [number, number][] {
  const extents = Array.from({ length: gaps.length + 1 }, (): [number, number] => [Number.POSITIVE_INFINITY, 0]);
  for (const word of rows.flat()) {
    const extent = extents[columnAt(gaps, (word.box[0] + word.box[2]) / 2)]!;
    extent[0] = Math.min(extent[0], word.box[0]);
    extent[1] = Math.max(extent[1], word.box[2]);
  }
  return extents;
}

const cellsBetween = (row: WordRow, gaps: readonly number[]): Cell[] => wordsBetween(row, gaps).map(textOf);

function wordsBetween(row: WordRow, gaps: readonly number[]): PageWord[][] {
  const cells: PageWord[][] = Array.from({ length: gaps.length + 1 }, () => []);
  const pieces = piecesOf(row);
  // A line of its own is a label of what follows, however far it goes.
  if (pieces.length === 1) cells[columnAt(gaps, row[0]!.box[0])]!.push(...row);
  else for (const word of row) cells[columnAt(gaps, (word.box[0] + word.box[2]) / 2)]!.push(word);
  return cells;
}

const columnAt = (gaps: readonly number[], x: number): number => gaps.filter((gap) => gap < x).length;
const boxOf = (words: readonly PageWord[]): Box => unionOf(words.map(({ box }) => box));
const tallest = (row: WordRow): number => Math.max(...row.map(heightOf));
const distance = (above: WordRow, below: WordRow): number => boxOf(below)[1] - boxOf(above)[3];
