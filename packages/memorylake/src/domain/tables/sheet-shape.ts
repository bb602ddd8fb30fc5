import { readDate } from '../columns/column-dates.ts';
import { missingMark } from '../columns/column-nulls.ts';
import { readNumber } from '../columns/column-numbers.ts';
import type { Cell } from '../document.ts';

export interface SheetRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}

export interface SheetShape {
  /** Row of the column names, or undefined when the data begins at once. */
  readonly headerRow: number | undefined;
  readonly columns: readonly string[];
}

/** How many rows are looked at to find the header: titles and notes above a table are rarely longer. */
export const HEADER_LOOKAHEAD = 20;

/**
 * Finds the row of column names: the first about as wide as the table, if it names columns and holds no data. Where that is a
 * line of a preamble (`From; 2025-01-01`), the row further down that stands above values is.
 */
export function findShape(rows: readonly SheetRow[]): SheetShape {
  const widths = rows.map((row) => filled(row).length);
  const width = Math.max(0, ...widths);
  const first = rows.findIndex((_, index) => widths[index]! >= Math.max(1, Math.ceil(width * 0.6)));
  const isNamed = first >= 0 && first + 1 < rows.length && namesColumns(rows[first]!, rows.slice(first + 1));
  const below = rows.findIndex(
    (_, at) => at > first && widths[at] === width && isBelowPreamble(rows, first, at, isNamed),
  );
  const at = first >= 0 && below > first ? below : isNamed ? first : -1;
  const span = Math.max(0, ...rows.map((one) => one.cells.length));
  return at >= 0
    ? { headerRow: rows[at]!.number, columns: columnNames(withGroups(rows, at), span) }
    : { headerRow: undefined, columns: numbered(0, span) };
}

/** Whether a row begins a table below other lines: it names a column of values, and no line above has a value in that column. */
function isBelowPreamble(rows: readonly SheetRow[], first: number, at: number, isNamed: boolean): boolean {
  const above = rows.slice(first, at);
  if (isNamed && above.some((row) => filled(row).length >= filled(rows[at]!).length)) return false;
  const below = rows.slice(at + 1);
  if (below.length === 0 || !filled(rows[at]!).every((cell) => !isValue(cell))) return false;
  return rows[at]!.cells.some((label, column) => {
    if (label === null || label === '') return false;
    const has = (row: SheetRow) => isFilledValue(row.cells[column]);
    return below.filter(has).length > below.length / 2 && !above.some(has);
  });
}

const isFilledValue = (cell: Cell | undefined): boolean =>
  cell !== null && cell !== undefined && cell !== '' && isValue(cell);

/** Names that come twice, under the labels of the row above: `Units` below `2023` and below `2024`. */
function withGroups(rows: readonly SheetRow[], at: number): Cell[] {
  const { cells, number } = rows[at]!;
  const above = rows[at - 1];
  if (above?.number !== number - 1 || filled(above).length < 2) return [...cells];
  const count = (cell: Cell) => cells.filter((other) => String(other) === String(cell)).length;
  let group: Cell = null;
  const named = cells.map((cell, column) => {
    const label = above.cells[column];
    if (label !== null && label !== undefined && label !== '') group = label;
    return group === null || cell === null || cell === '' || count(cell) < 2 ? cell : `${group} ${cell}`;
  });
  const isTold = new Set(named.map(String)).size === named.length;
  return isTold ? named : [...cells];
}

/** Names for every column of a table whose rows may be wider than its header. */
export const namesFor = ({ headerRow, columns }: SheetShape, width: number): string[] => {
  if (columns.length >= width) return [...columns];
  return headerRow === undefined ? numbered(0, width) : columnNames(columns, width);
};

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `column_${from + at + 1}`);

const filled = (row: SheetRow): Cell[] => row.cells.filter((cell) => cell !== null && cell !== '');

function namesColumns(row: SheetRow, below: readonly SheetRow[]): boolean {
  const cells = filled(row);
  if (cells.some((cell) => typeof cell === 'string' && missingMark(cell) !== undefined)) return false;
  const values = cells.filter(isValue);
  if (values.length === 0) return true;
  const kind = labelKind(values);
  const isAlike = (next: SheetRow) => labelKind(filled(next).filter(isValue)) === kind;
  return kind !== undefined && !below.slice(0, 5).some(isAlike);
}

const isValue = (cell: Cell): boolean =>
  typeof cell !== 'string' || readNumber(cell) !== undefined || readDate(cell) !== undefined;

/** Values that name columns all the same: dates or years of a table over time, or numbers that count the columns. */
function labelKind(values: readonly Cell[]): 'dates' | 'years' | 'count' | undefined {
  if (values.length < 2 || new Set(values).size < values.length) return undefined;
  if (values.every((value) => typeof value === 'string' && readDate(value) !== undefined)) return 'dates';
  const numbers = values.map((value) => (typeof value === 'boolean' ? Number.NaN : Number(value)));
  if (!numbers.every(Number.isInteger)) return undefined;
  if (numbers.every((number) => number >= 1800 && number <= 2100)) return 'years';
  const counts = numbers.length > 2 && numbers[0]! >= 0 && numbers[0]! <= 1;
  return counts && numbers.every((number, at) => number === numbers[0]! + at) ? 'count' : undefined;
}

/** Column names as pandas sees them: as they are written, `Unnamed: 2` for a blank one, `x.1` for a second `x`. */
export function columnNames(header: readonly Cell[], width: number): string[] {
  const taken = new Set<string>();
  const written = Array.from({ length: width }, (_, at) => {
    const cell = header[at];
    return cell === null || cell === undefined || cell === '' ? `Unnamed: ${at}` : String(cell);
  });
  const all = new Set(written.map((name) => name.toLowerCase()));
  const tried = new Map<string, number>();
  return written.map((name) => {
    let free = name;
    // SQL does not tell `A` from `a`, so neither do we here.
    const key = name.toLowerCase();
    let n = tried.get(key) ?? 1;
    for (; taken.has(free.toLowerCase()) || (free !== name && all.has(free.toLowerCase())); n++) free = `${name}.${n}`;
    tried.set(key, n);
    taken.add(free.toLowerCase());
    return free;
  });
}
