import type { Box, Cell, DocumentTable, TableRow } from '../document.ts';
import { type PageLine, type PageWord, unionOf } from '../text/page-lines.ts';

/** A straight line drawn on a page, as a box of nearly no width or height. */
export type Ruling = Box;

interface Segment {
  /** Where it stands: y of a horizontal one, x of a vertical one. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

const NEAR = 3;
const LEAST_COLUMNS = 2;
const LEAST_ROWS = 2;
const LEAST_UNRULED_ROWS = 3;
const MOST_RULINGS = 5_000;

/** Finds the tables of a page: those with drawn lines first, then those whose columns only the gaps show. */
export function findTables(page: number, lines: readonly PageLine[], rulings: readonly Ruling[]): DocumentTable[] {
  const words = lines.flatMap((line) => line.words);
  const ruled = rulings.length <= MOST_RULINGS ? ruledTables(page, words, rulings) : [];
  const rest = lines.filter(({ box }) => !ruled.some(({ box: taken }) => overlaps(box, taken)));
  return [...ruled.map(({ table }) => table), ...unruledTables(page, rest)];
}

function ruledTables(page: number, words: readonly PageWord[], rulings: readonly Ruling[]) {
  const horizontal: Segment[] = [];
  const vertical: Segment[] = [];
  for (const [x0, y0, x1, y1] of rulings) {
    if (y1 - y0 <= NEAR && x1 - x0 > NEAR * 2) horizontal.push({ at: (y0 + y1) / 2, from: x0, to: x1 });
    else if (x1 - x0 <= NEAR && y1 - y0 > NEAR * 2) vertical.push({ at: (x0 + x1) / 2, from: y0, to: y1 });
  }
  const found: { table: DocumentTable; box: Box }[] = [];
  for (const group of groupsOf(horizontal, vertical)) {
    const xs = distinct(group.vertical.map(({ at }) => at));
    const ys = distinct(group.horizontal.map(({ at }) => at));
    if (xs.length <= LEAST_COLUMNS || ys.length <= LEAST_ROWS) continue;
    const box: Box = [xs[0]!, ys[0]!, xs.at(-1)!, ys.at(-1)!];
    const inside = words.filter((word) => contains(box, centre(word.box)));
    const rows = gridRows(page, xs, ys, group, inside);
    const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== null));
    if (filled.length < LEAST_ROWS || widthOf(filled) < LEAST_COLUMNS) continue;
    found.push({ box, table: { headerRows: headerOf(filled), rows: filled, page } });
  }
  return found;
}

/** Lines that touch each other belong to one table. */
function groupsOf(horizontal: readonly Segment[], vertical: readonly Segment[]) {
  const parents = new Map<Segment, Segment>();
  const root = (one: Segment): Segment => {
    let top = one;
    while (parents.get(top) && parents.get(top) !== top) top = parents.get(top)!;
    return top;
  };
  for (const line of horizontal) {
    for (const other of vertical) {
      const crosses =
        other.at >= line.from - NEAR &&
        other.at <= line.to + NEAR &&
        line.at >= other.from - NEAR &&
        line.at <= other.to + NEAR;
      if (crosses) parents.set(root(line), root(other));
    }
  }
  const groups = new Map<Segment, { horizontal: Segment[]; vertical: Segment[] }>();
  const groupOf = (one: Segment) => {
    const top = root(one);
    const group = groups.get(top) ?? { horizontal: [], vertical: [] };
    groups.set(top, group);
    return group;
  };
  for (const line of horizontal) groupOf(line).horizontal.push(line);
  for (const line of vertical) groupOf(line).vertical.push(line);
  return groups.values();
}

/** Cells between the lines; where a line is missing, the value stands in both cells. */
function gridRows(
  page: number,
  xs: readonly number[],
  ys: readonly number[],
  { horizontal, vertical }: { horizontal: readonly Segment[]; vertical: readonly Segment[] },
  words: readonly PageWord[],
): TableRow[] {
  const columns = xs.length - 1;
  const owner = Array.from({ length: (ys.length - 1) * columns }, (_, at) => at);
  const has = (lines: readonly Segment[], at: number, along: number) =>
    lines.some((line) => Math.abs(line.at - at) <= NEAR && line.from - NEAR <= along && line.to + NEAR >= along);
  for (let row = 0; row < ys.length - 1; row++) {
    for (let column = 0; column < columns; column++) {
      const own = row * columns + column;
      const middleX = (xs[column]! + xs[column + 1]!) / 2;
      const middleY = (ys[row]! + ys[row + 1]!) / 2;
      if (column > 0 && !has(vertical, xs[column]!, middleY)) owner[own] = owner[own - 1]!;
      else if (row > 0 && !has(horizontal, ys[row]!, middleX)) owner[own] = owner[own - columns]!;
    }
  }
  const texts = new Map<number, PageWord[]>();
  for (const word of words) {
    const [x, y] = centre(word.box);
    const column = slotOf(xs, x);
    const row = slotOf(ys, y);
    if (column < 0 || row < 0) continue;
    const key = owner[row * columns + column]!;
    texts.set(key, [...(texts.get(key) ?? []), word]);
  }
  return Array.from({ length: ys.length - 1 }, (_, row) => ({
    cells: Array.from({ length: columns }, (_, column) => textOf(texts.get(owner[row * columns + column]!))),
    page,
    box: [xs[0]!, ys[row]!, xs.at(-1)!, ys[row + 1]!],
  }));
}

/** Runs of lines that have words in several columns, with the same gaps between them all. */
function unruledTables(page: number, lines: readonly PageLine[]): DocumentTable[] {
  const rows = rowsOf(lines);
  const tables: DocumentTable[] = [];
  let run: PageWord[][] = [];
  const end = () => {
    if (run.length >= LEAST_UNRULED_ROWS) {
      const gaps = gapsOf(run);
      const cells = run.map((words) => cellsBetween(words, gaps));
      const full = cells.filter((line) => line.filter((cell) => cell !== null).length >= LEAST_COLUMNS).length;
      if (gaps.length >= 1 && full >= LEAST_UNRULED_ROWS && full >= cells.length * 0.6) {
        const table = cells.map((line, at) => ({ cells: line, page, box: unionOf(run[at]!.map(({ box }) => box)) }));
        tables.push({ headerRows: headerOf(table), rows: table, page });
      }
    }
    run = [];
  };
  for (const row of rows) {
    const last = run.at(-1);
    const isSplit = piecesOf(row).length >= LEAST_COLUMNS;
    const height = Math.max(...row.map(({ box }) => box[3] - box[1]));
    const isNear =
      !last || unionOf(row.map(({ box }) => box))[1] - unionOf(last.map(({ box }) => box))[3] < height * 1.6;
    if (!isSplit || !isNear) end();
    if (isSplit) run.push(row);
  }
  end();
  return tables;
}

/** Words by the height they stand at, from top to bottom. */
function rowsOf(lines: readonly PageLine[]): PageWord[][] {
  const words = lines.flatMap((line) => line.words).sort((a, b) => middle(a) - middle(b));
  const rows: PageWord[][] = [];
  for (const word of words) {
    const row = rows.at(-1);
    const first = row?.[0];
    const height = word.box[3] - word.box[1];
    if (row && first && Math.abs(middle(first) - middle(word)) < height * 0.5) row.push(word);
    else rows.push([word]);
  }
  return rows.map((row) => row.sort((a, b) => a.box[0] - b.box[0]));
}

const middle = ({ box }: PageWord): number => (box[1] + box[3]) / 2;

function piecesOf(row: readonly PageWord[]): Box[] {
  const pieces: Box[] = [];
  for (const { box } of row) {
    const last = pieces.at(-1);
    if (last && box[0] - last[2] < Math.max(6, (box[3] - box[1]) * 0.9))
      pieces[pieces.length - 1] = unionOf([last, box]);
    else pieces.push(box);
  }
  return pieces;
}

/** Where no row of a run has a word: the middles of the gaps between columns. */
function gapsOf(run: readonly (readonly PageWord[])[]): number[] {
  const pieces = run.flatMap(piecesOf).sort((a, b) => a[0] - b[0]);
  const gaps: number[] = [];
  let right = pieces[0]?.[2] ?? 0;
  for (const [left, , end] of pieces) {
    if (left - right > 3) gaps.push((left + right) / 2);
    right = Math.max(right, end);
  }
  return gaps;
}

function cellsBetween(words: readonly PageWord[], gaps: readonly number[]): Cell[] {
  const cells: PageWord[][] = Array.from({ length: gaps.length + 1 }, () => []);
  for (const word of words) cells[gaps.filter((gap) => gap < centre(word.box)[0]).length]!.push(word);
  return cells.map(textOf);
}

/** The first row names the columns when it is all words and a row below has figures. */
function headerOf(rows: readonly TableRow[]): number {
  const [first, ...rest] = rows;
  const isFigure = (cell: Cell) => typeof cell === 'string' && /\d/.test(cell) && !/\p{L}{3,}/u.test(cell);
  return first && !first.cells.some(isFigure) && rest.some(({ cells }) => cells.some(isFigure)) ? 1 : 0;
}

function textOf(words: readonly PageWord[] | undefined): Cell {
  if (!words || words.length === 0) return null;
  return words.map(({ text }) => text).join(' ');
}

function distinct(values: readonly number[]): number[] {
  const kept: number[] = [];
  for (const value of [...values].sort((a, b) => a - b))
    if (kept.length === 0 || value - kept.at(-1)! > NEAR) kept.push(value);
  return kept;
}

const slotOf = (edges: readonly number[], value: number): number =>
  edges.findIndex((edge, at) => value >= edge && value < (edges[at + 1] ?? Number.NEGATIVE_INFINITY));

const centre = ([x0, y0, x1, y1]: Box): readonly [number, number] => [(x0 + x1) / 2, (y0 + y1) / 2];
const contains = (box: Box, [x, y]: readonly [number, number]): boolean =>
  x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
const overlaps = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const widthOf = (rows: readonly TableRow[]): number =>
  Math.max(0, ...rows.map(({ cells }) => new Set(cells.filter((cell) => cell !== null)).size));
