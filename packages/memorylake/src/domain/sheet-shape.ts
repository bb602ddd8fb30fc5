import type { Cell } from './document.ts';

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

/** Finds the row of column names: the first that is all text and about as wide as the rows below it. */
export function findShape(rows: readonly SheetRow[]): SheetShape {
  const widths = rows.map((row) => filled(row).length);
  const width = Math.max(0, ...widths);
  const at = rows.findIndex(
    (row, index) =>
      index + 1 < rows.length &&
      widths[index]! >= Math.max(1, Math.ceil(width * 0.6)) &&
      widths[index]! >= Math.min(width, widths[index + 1]!) * 0.6 &&
      filled(row).every((cell) => typeof cell === 'string' && !looksNumeric(cell)),
  );
  const span = Math.max(0, ...rows.map((row) => row.cells.length));
  const header = at < 0 ? [] : rows[at]!.cells;
  const names = Array.from({ length: span }, (_, index) =>
    String(header[index] ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return { headerRow: at < 0 ? undefined : rows[at]!.number, columns: distinct(names) };
}

const filled = (row: SheetRow): Cell[] => row.cells.filter((cell) => cell !== null && cell !== '');

const looksNumeric = (text: string): boolean => /^[-+]?[\d.,%\s]*\d[\d.,%\s]*$/.test(text);

/** Column names as they are, blanks numbered, repeats told apart. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const base = name === '' ? `column_${index + 1}` : name.slice(0, 120);
    let free = base;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${base}_${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
