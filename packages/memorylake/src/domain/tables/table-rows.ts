import {
  type ColumnInfo,
  type ColumnType,
  type ColumnValue,
  cellText,
  infoOf,
  typeTable,
} from '../columns/column-types.ts';
import type { Box, Cell, DocumentTable, ReadSink } from '../document.ts';
import { lineOf } from './chunk-rows.ts';
import { DocumentTables, shapeOfTable, widthOf } from './document-tables.ts';
import { findShape, HEADER_LOOKAHEAD, namesFor, type SheetRow, type SheetShape } from './sheet-shape.ts';
import { SheetSplitter } from './split-sheet.ts';

/** A sink that looks at the rows of one sheet and at nothing else. */
abstract class SheetSink implements ReadSink {
  protected readonly wanted: string;
  #isWanted = false;

  constructor(sheet: string) {
    this.wanted = sheet;
  }

  abstract take(number: number, cells: readonly Cell[]): boolean;

  sheet(name: string): void {
    this.#isWanted = this.begins(name);
  }

  protected begins(name: string): boolean {
    return name === this.wanted;
  }

  row(number: number, cells: readonly Cell[]): boolean {
    return this.#isWanted && this.take(number, cells);
  }

  text(): void {}
  table(_table: DocumentTable): void {}
  tables(): void {}
  figures(): void {}
  title(): void {}
  unread(): void {}
}

export interface RowRange {
  readonly sheet: string;
  readonly from: number;
  readonly to: number;
  /** Rows are given until their lines together are longer than this. */
  readonly enoughCharacters: number;
}

/** Rows of a sheet from one number to another, or until there are enough. */
export class RowCollector extends SheetSink {
  readonly rows: SheetRow[] = [];
  readonly #range: RowRange;
  #characters = 0;

  constructor(range: RowRange) {
    super(range.sheet);
    this.#range = range;
  }

  override take(number: number, cells: readonly Cell[]): boolean {
    const { from, to, enoughCharacters } = this.#range;
    if (number >= from && number <= to) {
      const lineBreak = this.rows.length > 0 ? 1 : 0;
      this.#characters += lineBreak + lineOf(cells).length;
      this.rows.push({ number, cells });
    }
    return number < to && this.#characters <= enoughCharacters;
  }
}

export interface TypedTable {
  readonly columns: readonly (ColumnInfo & { readonly name: string })[];
  readonly rows: readonly (readonly ColumnValue[])[];
}

/** What a query asks for beside the columns of a table. */
export interface ExtraColumns {
  /** Columns that are also wanted as they are written, under the name `<column> (text)`. */
  readonly texts: readonly string[];
  /** Where each row stands, to cite it. */
  readonly places: readonly PlaceColumn[];
}

/** The row in its sheet or table, its page, and its box on the page as JSON. */
export const PLACE_COLUMNS = ['_row', '_page', '_box'] as const;
type PlaceColumn = (typeof PLACE_COLUMNS)[number];

/** A sheet, or a table of a document, with its columns and their types; without titles above the header. */
export class TableCollector extends SheetSink {
  #collected: PlacedRow[] = [];
  readonly #documents = new DocumentTables();
  #splitter: SheetSplitter | undefined;

  protected override begins(name: string): boolean {
    this.#splitter?.end();
    this.#splitter = undefined;
    const isOurs = name === this.wanted;
    const lower = LOWER.exec(this.wanted);
    if (!isOurs && (lower?.[1] !== name || this.#collected.length > 0)) return false;
    this.#collected = [];
    const wanted = isOurs ? 0 : Number(lower![2]) - 1;
    this.#splitter = new SheetSplitter((row, table) => {
      if (table === wanted) this.#collected.push(row);
    });
    return true;
  }

  override take(number: number, cells: readonly Cell[]): boolean {
    this.#splitter?.push({ number, cells });
    return true;
  }

  override table(table: DocumentTable): void {
    this.#documents.add(table);
  }

  typedTable(extra: ExtraColumns): TypedTable {
    this.#splitter?.end();
    if (this.#collected.length > 0)
      return typed(this.#collected, findShape(this.#collected.slice(0, HEADER_LOOKAHEAD)), extra);
    const table = this.#documents.all().find(({ name }) => name === this.wanted);
    if (!table) return { columns: [], rows: [] };
    return typed(
      table.rows.map((row, at) => ({ ...row, number: at + 1 })),
      shapeOfTable(table),
      extra,
    );
  }
}

/** The name of a table further down on a sheet. */
const LOWER = /^(.*) table (\d+)$/s;

interface PlacedRow extends SheetRow {
  readonly page?: number;
  readonly box?: Box;
}

function typed(all: readonly PlacedRow[], shape: SheetShape, { texts, places }: ExtraColumns): TypedTable {
  const { headerRow } = shape;
  const names = namesFor(shape, widthOf(all));
  const data = headerRow === undefined ? all : all.filter((row) => row.number > headerRow);
  const { plans, rows } = typeTable(
    names.length,
    data.map((row) => row.cells),
  );
  const columns: (ColumnInfo & { name: string })[] = names.map((name, at) => ({ name, ...infoOf(plans[at]!) }));
  const append = (name: string, type: ColumnType, read: (row: PlacedRow) => ColumnValue) => {
    if (names.includes(name)) return;
    columns.push({ name, type, share: 1 });
    for (const [index, row] of rows.entries()) row.push(read(data[index]!));
  };
  names.forEach((name, at) => {
    if (texts.includes(name)) append(textName(name), 'text', (row) => cellText(row.cells[at]));
  });
  for (const name of places) append(name, name === '_box' ? 'text' : 'integer', (row) => placeValue(row, name));
  return { columns, rows };
}

function placeValue({ number, page, box }: PlacedRow, column: PlaceColumn): ColumnValue {
  if (column === '_row') return number;
  if (column === '_page') return page ?? null;
  return box ? JSON.stringify(box) : null;
}

/** The name under which a column is queried as it is written in the file. */
export const textName = (column: string): string => `${column} (text)`;
