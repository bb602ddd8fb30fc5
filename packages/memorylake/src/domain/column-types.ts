import type { Cell } from './document.ts';

export type ColumnType = 'integer' | 'real' | 'text' | 'boolean' | 'date' | 'datetime';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATETIME = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?/;

/** The narrowest type that fits every value of each column; a column without values is text. */
export function columnTypes(width: number, rows: readonly (readonly Cell[])[]): ColumnType[] {
  return Array.from({ length: width }, (_, column) => {
    let type: ColumnType | undefined;
    for (const row of rows) {
      const cell = row[column];
      if (cell === null || cell === undefined || cell === '') continue;
      type = widest(type, typeOf(cell));
      if (type === 'text') break;
    }
    return type ?? 'text';
  });
}

function typeOf(cell: Exclude<Cell, null>): ColumnType {
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'integer' : 'real';
  return DATE.test(cell) ? 'date' : DATETIME.test(cell) ? 'datetime' : 'text';
}

function widest(known: ColumnType | undefined, next: ColumnType): ColumnType {
  if (known === undefined || known === next) return next;
  const pair = [known, next];
  if (pair.every((type) => type === 'integer' || type === 'real')) return 'real';
  if (pair.every((type) => type === 'date' || type === 'datetime')) return 'datetime';
  return 'text';
}
