import type { Box, Cell, DocumentTable } from '../document.ts';
import { type PageLine, type PageWord, unionOf } from '../text/page-lines.ts';
import { isList, isProse, isTableOfContents, proseWords } from './no-table.ts';
import { headerOf, heightOf, isFigure, piecesOf, rowsOfWords, textOf, type WordRow } from './text-rows.ts';
import { cellsBetween, columnAt, extentsOf, gapsOf } from './word-gaps.ts';

const MIN_COLUMNS = 2;
const MIN_ROWS = 3;
const MAX_HEADER_ROWS = 6;
/** Rows such as "Actual" or "Northern region" that part a table into groups. */
const MAX_ROWS_BETWEEN = 2;

/** Tables that no lines are drawn around: rows of words with the same gaps between them. */
export function unruledTables(page: number, lines: readonly PageLine[]): DocumentTable[] {
  // Dots that lead to a page number are neither words nor columns.
  const words = lines.flatMap((line) => line.words);
  const rows = rowsOfWords(words.filter(({ text }) => !/^[.·…_]+$/.test(text)));
  const leaders = words.filter(({ text }) => /[.·…_]{4}/.test(text)).map(({ box }) => box);
  const prose = proseWords(lines);
  return runsOf(rows).flatMap((run) => tableOf(page, run, { prose, leaders }) ?? []);
}

/** What on a page tells tables from lists and texts. */
interface PageSigns {
  readonly prose: ReadonlySet<PageWord>;
  readonly leaders: readonly Box[];
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
      if (run.length > 0 && between.length < MAX_ROWS_BETWEEN) between.push(rows[at]!);
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
    if (piecesOf(row).length < MIN_COLUMNS || (last && distance(last, row) >= tallest(row) * 1.6)) break;
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
  const core = coreOf([...run, ...next]);
  const extents = extentsOf(core, gapsOf(core));
  // Words that go on below a cell stand in its column.
  const isWithin = (row: WordRow) =>
    extents.length > MIN_COLUMNS &&
    areAlike(run.at(-1)!, next[0]!) &&
    piecesOf(row).every(({ box }) => extents.filter(([left, right]) => box[0] < right && left < box[2]).length === 1);
  if (!between.every((row) => isLabel(row) || isWithin(row))) return false;
  const columns = (some: readonly WordRow[]) => gapsOf(coreOf(some)).length + 1;
  const [before, after, together] = [columns(run), columns(next), columns([...run, ...next])];
  return together > MIN_COLUMNS && together >= Math.max(after, run.length < MIN_ROWS ? 0 : before);
}

/** Rows whose pieces stand below each other. */
function areAlike(above: WordRow, below: WordRow): boolean {
  const [one, other] = [piecesOf(above), piecesOf(below)];
  const shared = one.filter(({ box }) => other.some((piece) => piece.box[0] < box[2] && box[0] < piece.box[2]));
  return shared.length >= Math.max(one.length, other.length) * 0.7;
}

function tableOf(page: number, run: readonly WordRow[], { prose, leaders }: PageSigns): DocumentTable | undefined {
  if (run.length < MIN_ROWS) return undefined;
  const core = coreOf(run);
  const gaps = gapsOf(core);
  if (gaps.length === 0) return undefined;
  if (isList(run, gaps) || isTableOfContents(run, gaps, leaders)) return undefined;
  const words = run.flat();
  if (words.filter((word) => prose.has(word)).length > words.length * 0.5) return undefined;
  const headers = Math.min(MAX_HEADER_ROWS, headerRowsOf(run, core, gaps));
  const header = headerCells(run.slice(0, headers), core, gaps);
  const body = run.slice(headers).map((row) => ({ row, cells: cellsBetween(row, gaps) }));
  const cells = body.map((one) => one.cells);
  const full = cells.filter((line) => line.filter((cell) => cell !== null).length >= MIN_COLUMNS).length;
  if (
    full < Math.min(MIN_ROWS, cells.length) ||
    full < 2 ||
    full < cells.length * 0.6 ||
    isProse(run.slice(headers), gaps)
  )
    return undefined;
  const rows = [...header, ...body].map(({ row, cells: line }) => ({ cells: line, page, box: boxOf(row) }));
  if (rows.length < MIN_ROWS) return undefined;
  return { headerRows: header.length > 0 ? header.length : headerOf(rows), rows, page };
}

/** The rows that show the columns best: those with several figures, or all with gaps where few have figures. */
function coreOf(run: readonly WordRow[]): WordRow[] {
  const split = run.filter((row) => piecesOf(row).length >= MIN_COLUMNS);
  const figures = split.filter((row) => piecesOf(row).filter(({ words }) => isFigure(textOf(words))).length >= 2);
  return figures.length >= MIN_ROWS ? figures : split;
}

/** Rows above the first with figures; years and the like above the columns are names too. */
function headerRowsOf(run: readonly WordRow[], core: readonly WordRow[], gaps: readonly number[]): number {
  let count = run.findIndex((row) => core.includes(row));
  const isYears = (row: WordRow) => {
    const [first, ...rest] = cellsBetween(row, gaps);
    return first === null && rest.every((cell) => cell === null || /^(?:19|20)\d\d\b/.test(String(cell)));
  };
  while (count < run.length - MIN_ROWS && isYears(run[count]!)) count++;
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

const boxOf = (words: readonly PageWord[]): Box => unionOf(words.map(({ box }) => box));
const tallest = (row: WordRow): number => Math.max(...row.map(heightOf));
const distance = (above: WordRow, below: WordRow): number => boxOf(below)[1] - boxOf(above)[3];
