import type { Box, DocumentTable, TableRow } from '../document.ts';
import type { PageLine, PageWord } from '../text/page-lines.ts';
import { innerGaps, innerLines } from './inner-columns.ts';
import { type GridRow, joinHeaders, withHeader } from './ruled-header.ts';
import { isFigure, rowsOfWords, textOf } from './text-rows.ts';
import { unruledTables } from './unruled-tables.ts';

/** A straight line drawn on a page, as a box of nearly no width or height. */
export type Ruling = Box;

export interface Segment {
  /** Where it stands: y of a horizontal one, x of a vertical one. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Lines between columns or rows. Borders of neighbouring cells may be drawn apart; together they are one. */
interface Edge {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

const NEAR = 3;
/** Two lines with no word between them and less than this apart are one border. */
const BORDER = 12;
const MIN_COLUMNS = 2;
const MIN_ROWS = 2;
/** Horizontal lines that go on beyond the last vertical one by this much leave the table open at its side. */
const OPEN_SIDE = 12;
const MAX_RULINGS = 5_000;

/** Finds the tables of a page: those with drawn lines first, then those whose columns only the gaps show. */
export function findTables(page: number, lines: readonly PageLine[], rulings: readonly Ruling[]): DocumentTable[] {
  const words = lines.flatMap((line) => line.words);
  const ruled = rulings.length <= MAX_RULINGS ? ruledTables(page, words, rulings) : [];
  const rest = lines.filter(({ box }) => !ruled.some(({ box: taken }) => overlaps(box, taken)));
  return [...joinHeaders(ruled.map(({ table }) => table)), ...unruledTables(page, rest)];
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
    const drawn = withOpenSides(distinct(group.vertical.map(({ at }) => at)), group.horizontal);
    const lines = distinct(group.horizontal.map(({ at }) => at));
    if (drawn.length <= MIN_COLUMNS || lines.length < MIN_ROWS) continue;
    const box: Box = [drawn[0]!, lines[0]!, drawn.at(-1)!, lines.at(-1)!];
    const inside = words.filter((word) => contains(box, centre(word.box)));
    const gaps = innerGaps(drawn, inside);
    const xs = [...drawn, ...gaps.flatMap(({ at, isDrawn }) => (isDrawn ? [] : [at]))].sort((a, b) => a - b);
    const between = linesBetween(xs, lines, inside);
    const ys = [...lines, ...between].sort((a, b) => a - b);
    if (ys.length <= MIN_ROWS) continue;
    const horizontal = [
      ...group.horizontal,
      ...between.map((at) => ({ at, from: box[0], to: box[2] })),
      ...linesBesideSpans(xs, ys, inside),
    ];
    const columns = edgesOf(
      xs,
      inside.map((word) => centre(word.box)[0]),
    );
    const heights = edgesOf(
      ys,
      inside.map((word) => centre(word.box)[1]),
    );
    const vertical = [...group.vertical, ...innerLines(gaps, ys, inside)];
    const rows = gridRows(page, columns, heights, { horizontal, vertical }, inside);
    const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== null));
    if (filled.length < MIN_ROWS || widthOf(filled) < MIN_COLUMNS) continue;
    found.push({ box, table: withHeader(page, filled) });
  }
  return found;
}

/** Many tables have no lines at their sides: there the horizontal ones end. */
function withOpenSides(xs: readonly number[], horizontal: readonly Segment[]): number[] {
  const left = Math.min(...horizontal.map(({ from }) => from));
  const right = Math.max(...horizontal.map(({ to }) => to));
  const isSide = (ends: readonly number[], side: number) =>
    ends.filter((end) => Math.abs(end - side) <= NEAR * 2).length >= MIN_ROWS;
  const all = [...xs];
  if (
    left < xs[0]! - OPEN_SIDE &&
    isSide(
      horizontal.map(({ from }) => from),
      left,
    )
  )
    all.unshift(left);
  if (
    right > xs.at(-1)! + OPEN_SIDE &&
    isSide(
      horizontal.map(({ to }) => to),
      right,
    )
  )
    all.push(right);
  return all;
}

/** Where a table draws lines only around several rows: the heights between those rows, told by figures beside each other. */
function linesBetween(xs: readonly number[], ys: readonly number[], words: readonly PageWord[]): number[] {
  return ys.slice(1).flatMap((bottom, at) => {
    const rows = rowsOfWords(words.filter(({ box }) => slotOf([ys[at]!, bottom], centre(box)[1]) === 0));
    const columnOf = ({ box }: PageWord) => slotOf(xs, centre(box)[0]);
    const figures = rows.map((row) => new Set(row.filter(({ text }) => isFigure(text)).map(columnOf)));
    const several = figures.filter((columns) => columns.size >= 2).length;
    if (rows.length < 2 || (several < Math.max(2, rows.length / 2) && !areFilledAlike(rows, figures, columnOf)))
      return [];
    const edge = (row: readonly PageWord[], side: 1 | 3) =>
      Math[side === 1 ? 'min' : 'max'](...row.map(({ box }) => box[side]));
    return rows.slice(1).map((row, index) => (edge(rows[index]!, 3) + edge(row, 1)) / 2);
  });
}

/** Where a line is drawn in some columns only: it parts all that have words on both sides, if two of them have figures there. */
function linesBesideSpans(xs: readonly number[], ys: readonly number[], words: readonly PageWord[]): Segment[] {
  const cells = new Map<string, PageWord[]>();
  for (const word of words) {
    const [x, y] = centre(word.box);
    const key = `${slotOf(ys, y)} ${slotOf(xs, x)}`;
    cells.set(key, [...(cells.get(key) ?? []), word]);
  }
  return ys.slice(1, -1).flatMap((at, row) => {
    const both = xs.slice(1).flatMap((to, column) => {
      const texts = [row, row + 1].map((slot) => textOf(cells.get(`${slot} ${column}`)));
      return texts.includes(null)
        ? []
        : [{ at, from: xs[column]!, to, areFigures: texts.every((text) => isFigure(text)) }];
    });
    return both.filter(({ areFigures }) => areFigures).length >= 2 ? both : [];
  });
}

/** Rows that all fill the same columns, the last of them with a figure. */
function areFilledAlike(
  rows: readonly (readonly PageWord[])[],
  figures: readonly ReadonlySet<number>[],
  columnOf: (word: PageWord) => number,
): boolean {
  const filled = rows.map((row) => [...new Set(row.map(columnOf))].sort((a, b) => a - b));
  const last = filled[0]!.at(-1)!;
  return (
    rows.length > 2 &&
    filled[0]!.length >= MIN_COLUMNS &&
    filled.every((columns) => String(columns) === String(filled[0])) &&
    figures.every((columns) => columns.has(last))
  );
}

/** Lines that touch each other belong to one table, also where one goes on in the next. */
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
  for (const lines of [horizontal, vertical]) {
    const sorted = [...lines].sort((a, b) => a.at - b.at || a.from - b.from);
    for (const [at, line] of sorted.entries()) {
      for (let next = at + 1; next < sorted.length && sorted[next]!.at - line.at <= 1; next++) {
        const other = sorted[next]!;
        if (other.from <= line.to + 1 && line.from <= other.to + 1) parents.set(root(line), root(other));
      }
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

function edgesOf(lines: readonly number[], centres: readonly number[]): Edge[] {
  const edges: Edge[] = [];
  for (const at of lines) {
    const last = edges.at(-1);
    const isOne = last && at - last.from < BORDER && !centres.some((value) => value > last.to && value < at);
    if (isOne) edges[edges.length - 1] = { at: (last.from + at) / 2, from: last.from, to: at };
    else edges.push({ at, from: at, to: at });
  }
  return edges;
}

/** Cells between the lines; where a line is missing, the value stands in both cells. */
function gridRows(
  page: number,
  columnEdges: readonly Edge[],
  rowEdges: readonly Edge[],
  { horizontal, vertical }: { horizontal: readonly Segment[]; vertical: readonly Segment[] },
  words: readonly PageWord[],
): GridRow[] {
  const [xs, ys] = [columnEdges, rowEdges].map((edges) => edges.map(({ at }) => at)) as [number[], number[]];
  const columns = xs.length - 1;
  const owner = Array.from({ length: (ys.length - 1) * columns }, (_, at) => at);
  const has = (lines: readonly Segment[], { from, to }: Edge, along: number) =>
    lines.some(
      (line) => line.at >= from - NEAR && line.at <= to + NEAR && line.from - NEAR <= along && line.to + NEAR >= along,
    );
  for (let row = 0; row < ys.length - 1; row++) {
    for (let column = 0; column < columns; column++) {
      const own = row * columns + column;
      const middleX = (xs[column]! + xs[column + 1]!) / 2;
      const middleY = (ys[row]! + ys[row + 1]!) / 2;
      if (column > 0 && !has(vertical, columnEdges[column]!, middleY)) owner[own] = owner[own - 1]!;
      else if (row > 0 && !has(horizontal, rowEdges[row]!, middleX)) owner[own] = owner[own - columns]!;
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
    owners: owner.slice(row * columns, (row + 1) * columns),
    page,
    box: [xs[0]!, ys[row]!, xs.at(-1)!, ys[row + 1]!],
  }));
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
