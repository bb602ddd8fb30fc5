import type { Cell } from '../document.ts';

export interface Paragraph {
  readonly text: string;
  readonly heading?: number | undefined;
  readonly line?: number | undefined;
}

export interface OpenCell {
  readonly blocks: (Paragraph | OpenTable)[];
  columns: number;
  readonly rows: number;
  /** Word's way to span rows: the cell goes on with the one above it. */
  continues?: boolean;
}

export interface OpenTable {
  readonly rows: OpenCell[][];
  headerRows: number;
  caption: string;
}

/** Spans beyond these are mistakes, or meant to exhaust memory. */
export const MAX_COLUMNS = 1_000;
export const MAX_SPAN = 10_000;
const MAX_CELLS = 2_000_000;

export function textOfCell({ blocks }: OpenCell): string {
  return blocks.map((block) => ('rows' in block ? block.rows.flat().map(textOfCell).join(' ') : block.text)).join(' ');
}

/** Cells by row and column; a value that spans cells stands in each of them. */
export function gridOf(rows: readonly (readonly OpenCell[])[]): Cell[][] {
  const grid: Cell[][] = [];
  const below: { column: number; left: number; value: Cell }[] = [];
  let cells = 0;
  for (const row of rows) {
    const line: Cell[] = [];
    const taken = new Set<number>();
    for (const span of below) {
      if (span.left <= 0) continue;
      span.left--;
      line[span.column] = span.value;
      taken.add(span.column);
    }
    let column = 0;
    for (const cell of row) {
      while (taken.has(column)) column++;
      const text = textOfCell(cell).replace(/\s+/g, ' ').trim();
      const above = cell.continues ? (grid.at(-1)?.[column] ?? null) : null;
      const value = text === '' ? above : text;
      for (let n = 0; n < cell.columns && column < MAX_COLUMNS; n++, column++) {
        line[column] = value;
        if (cell.rows > 1) below.push({ column, left: cell.rows - 1, value });
      }
    }
    for (let at = below.length - 1; at >= 0; at--) if (below[at]!.left <= 0) below.splice(at, 1);
    cells += line.length;
    if (cells > MAX_CELLS) break;
    grid.push(Array.from(line, (value) => value ?? null));
  }
  const widest = grid.reduce((most, line) => Math.max(most, line.length), 0);
  for (const line of grid) while (line.length < widest) line.push(null);
  return grid.some((line) => line.some((value) => value !== null)) ? grid : [];
}
