import type { Cell, DocumentTable, Place, TableRow } from '../document.ts';
import { columnNames, findShape, HEADER_LOOKAHEAD, type SheetShape } from './sheet-shape.ts';

/** A table of a document under the name that it has in its file. */
export interface NamedTable {
  /** `page 3 table 1`, `slide 2 table 1` or `table 4`. */
  readonly name: string;
  readonly place: Place;
  readonly caption: string | undefined;
  readonly headerRows: number;
  readonly rows: readonly TableRow[];
}

/** Gathers the tables of a document. One that goes on over a page break stays one. */
export class DocumentTables {
  readonly #tables: { first: DocumentTable; rows: TableRow[] }[] = [];

  add(table: DocumentTable): void {
    if (table.rows.length === 0) return;
    const last = this.#tables.at(-1);
    if (!last || !goesOn(last, table))
      this.#tables.push({ first: table, rows: table.rows.map((row) => onPage(row, table)) });
    else last.rows.push(...table.rows.slice(table.headerRows).map((row) => onPage(row, table)));
  }

  all(): NamedTable[] {
    const counts = new Map<string, number>();
    return this.#tables.map(({ first, rows }) => {
      const where =
        first.page !== undefined ? `page ${first.page} ` : first.slide !== undefined ? `slide ${first.slide} ` : '';
      const number = (counts.get(where) ?? 0) + 1;
      counts.set(where, number);
      const { headerRows, caption } = first;
      return { name: `${where}table ${number}`, place: placeOf(first, rows), caption, headerRows, rows };
    });
  }
}

/** The column names of a document's table; several header rows become one name. */
export function shapeOfTable({ headerRows, rows }: NamedTable): SheetShape {
  const width = widthOf(rows);
  if (headerRows === 0) {
    return findShape(rows.slice(0, HEADER_LOOKAHEAD).map(({ cells }, at) => ({ number: at + 1, cells })));
  }
  const header = Array.from({ length: width }, (_, column) => {
    const levels = rows.slice(0, headerRows).map(({ cells }) => String(cells[column] ?? '').trim());
    return [...new Set(levels.filter((level) => level !== ''))].join(' ');
  });
  return { headerRow: headerRows, columns: columnNames(header, width) };
}

export const widthOf = (rows: readonly { readonly cells: readonly Cell[] }[]): number =>
  rows.reduce((width, { cells }) => Math.max(width, cells.length), 0);

const onPage = (row: TableRow, { page }: DocumentTable): TableRow =>
  row.page === undefined && page !== undefined ? { ...row, page } : row;

/** A table at the top of the next page, as wide as the last one, without a header of its own. */
function goesOn({ first, rows }: { first: DocumentTable; rows: readonly TableRow[] }, next: DocumentTable): boolean {
  const last = rows.at(-1)!;
  const begin = next.rows[0]!;
  if (next.page === undefined || last.page === undefined || next.page !== last.page + 1) return false;
  if (next.caption !== undefined && next.caption !== first.caption) return false;
  if (widthOf(next.rows) !== widthOf(rows)) return false;
  if (last.box && begin.box && begin.box[1] >= last.box[1]) return false;
  const header = (table: DocumentTable) =>
    JSON.stringify(table.rows.slice(0, table.headerRows).map(({ cells }) => cells));
  return next.headerRows === 0 || header(next) === header(first);
}

function placeOf({ page, slide, part, paragraph }: DocumentTable, rows: readonly TableRow[]): Place {
  const boxes = rows.flatMap((row) => (row.box && row.page === page ? [row.box] : []));
  return {
    ...(page !== undefined && { page }),
    ...(boxes.length > 0 && {
      boxes: [
        [
          Math.min(...boxes.map((box) => box[0])),
          Math.min(...boxes.map((box) => box[1])),
          Math.max(...boxes.map((box) => box[2])),
          Math.max(...boxes.map((box) => box[3])),
        ] as const,
      ],
    }),
    ...(slide !== undefined && { slide }),
    ...(part !== undefined && { part }),
    ...(paragraph !== undefined && { paragraphs: [paragraph, paragraph] as const }),
  };
}
