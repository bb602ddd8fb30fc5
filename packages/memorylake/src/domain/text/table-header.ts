import { readDate } from '../columns/column-dates.ts';
import { readNumber } from '../columns/column-numbers.ts';
import { type OpenCell, type OpenTable, textOfCell } from './table-grid.ts';

type Row = readonly OpenCell[];

/** Header rows beyond these are data that spans rows. */
const MAX_HEADER_ROWS = 5;

interface TitledTable {
  /** A first row that is one cell over all columns and has rows below it; empty where there is none. */
  readonly title: string;
  readonly below: readonly Row[];
  readonly headerRows: number;
}

/** Takes the title off a table, and counts the rows that name its columns: names that span columns have others below them. */
export function splitTitle({ rows, headerRows }: Pick<OpenTable, 'rows' | 'headerRows'>): TitledTable {
  let from = 0;
  const titles: string[] = [];
  while (from < rows.length - 2 && isTitle(rows[from]!)) titles.push(textOfCell(rows[from++]![0]!).trim());
  const below = rows.slice(from);
  const marked = Math.max(0, headerRows - from);
  return { title: titles.join(' – '), below, headerRows: headerDepth(below, marked) };
}

const isTitle = ([cell, ...others]: Row): boolean => cell !== undefined && others.length === 0 && cell.columns > 1;

function headerDepth(rows: readonly Row[], marked: number): number {
  let depth = marked === 0 && rows[0]?.some(({ columns }) => columns > 1) ? unmarkedDepth(rows) : marked;
  for (let at = 0; at < depth && depth < MAX_HEADER_ROWS; at++) depth = Math.max(depth, lastRowOf(rows, at));
  return depth < rows.length && depth <= MAX_HEADER_ROWS ? depth : marked;
}

/** Of rows that nothing marks as names: groups over columns, down to where the cells beside them end or the values begin. */
function unmarkedDepth(rows: readonly Row[]): number {
  const depth = lastRowOf(rows, 0);
  if (depth > 1) return depth;
  const [, names, values] = rows;
  if (!names || !values || names.some(isValue) || names.length <= rows[0]!.length) return 0;
  return values.some(isValue) ? 2 : 0;
}

/** How many rows from the first the cells of a row reach down to. */
function lastRowOf(rows: readonly Row[], at: number): number {
  let last = at + Math.max(1, ...rows[at]!.map((cell) => cell.rows));
  while (rows[last]?.some(({ continues }) => continues)) last++;
  return last;
}

function isValue(cell: OpenCell): boolean {
  const text = textOfCell(cell).trim();
  return text !== '' && (readNumber(text) !== undefined || readDate(text) !== undefined);
}
