import { readDate } from '../columns/column-dates.ts';
import { readNumber } from '../columns/column-numbers.ts';
import type { Cell } from '../document.ts';
import type { SheetRow } from './sheet-shape.ts';

/** Rows of data that show that the row above them has names. */
export const ROWS_SEEN = 2;

export const isFilled = (cell: Cell | undefined): boolean => cell !== null && cell !== undefined && cell !== '';

/** The kind of a value; undefined for words. */
export function kindOf(cell: Cell | undefined): 'number' | 'date' | 'boolean' | undefined {
  if (typeof cell === 'number') return 'number';
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell !== 'string') return undefined;
  return readNumber(cell) ? 'number' : readDate(cell) ? 'date' : undefined;
}

export const columnsOf = ({ cells }: SheetRow): number[] => cells.flatMap((cell, at) => (isFilled(cell) ? [at] : []));

export const areNames = (row: SheetRow): boolean =>
  columnsOf(row).length >= 2 && columnsOf(row).every((at) => kindOf(row.cells[at]) === undefined);

/** Columns that have a name and, in at least two rows, values of one kind and nothing else. */
export function valueColumns(header: SheetRow, rows: readonly SheetRow[]): number[] {
  return columnsOf(header).filter((at) => {
    const cells = rows.map(({ cells: all }) => all[at]).filter(isFilled);
    const kind = kindOf(cells[0]);
    return kind !== undefined && cells.length >= ROWS_SEEN && cells.every((cell) => kindOf(cell) === kind);
  });
}
