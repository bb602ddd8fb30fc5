import { lineOf } from './chunk-rows.ts';
import { type ColumnInfo, type ColumnValue, cellText, infoOf, typeTable } from './column-types.ts';
import type { Cell, ReadSink } from './document.ts';
import { findShape, HEADER_LOOKAHEAD, namesFor, type SheetRow } from './sheet-shape.ts';

/** A sink that looks at the rows of one sheet and at nothing else. */
abstract class SheetSink implements ReadSink {
  private readonly wanted: string;
  private isWanted = false;

  constructor(sheet: string) {
    this.wanted = sheet;
  }

  abstract take(number: number, cells: readonly Cell[]): boolean;

  sheet(name: string): void {
    this.isWanted = name === this.wanted;
  }

  row(number: number, cells: readonly Cell[]): boolean {
    return this.isWanted && this.take(number, cells);
  }

  text(): void {}
  table(): void {}
  tables(): void {}
  figures(): void {}
  title(): void {}
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
  private readonly range: RowRange;
  private characters = 0;

  constructor(range: RowRange) {
    super(range.sheet);
    this.range = range;
  }

  override take(number: number, cells: readonly Cell[]): boolean {
    const { from, to, enoughCharacters } = this.range;
    if (number >= from && number <= to) {
      const lineBreak = this.rows.length > 0 ? 1 : 0;
      this.characters += lineBreak + lineOf(cells).length;
      this.rows.push({ number, cells });
    }
    return number < to && this.characters <= enoughCharacters;
  }
}

export interface TypedTable {
  readonly columns: readonly (ColumnInfo & { readonly name: string })[];
  readonly rows: readonly (readonly ColumnValue[])[];
}

/** A sheet as a table: its columns with their types, and its rows without titles above the header. */
export class TableCollector extends SheetSink {
  private readonly collected: SheetRow[] = [];

  override take(number: number, cells: readonly Cell[]): boolean {
    this.collected.push({ number, cells });
    return true;
  }

  /** `texts` are the columns that are also wanted as they are written, under the name `<column> (text)`. */
  typedTable(texts: readonly string[] = []): TypedTable {
    const shape = findShape(this.collected.slice(0, HEADER_LOOKAHEAD));
    const { headerRow } = shape;
    const names = namesFor(
      shape,
      this.collected.reduce((width, row) => Math.max(width, row.cells.length), 0),
    );
    const data = headerRow === undefined ? this.collected : this.collected.filter((row) => row.number > headerRow);
    const { plans, rows } = typeTable(
      names.length,
      data.map((row) => row.cells),
    );
    const columns = names.map((name, at) => ({ name, ...infoOf(plans[at]!) }));
    const written = names.flatMap((name, at) => (texts.includes(name) ? [{ name: textName(name), at }] : []));
    for (const { at } of written) for (const [index, row] of rows.entries()) row.push(cellText(data[index]!.cells[at]));
    return { columns: [...columns, ...written.map(({ name }) => ({ name, type: 'text' as const, share: 1 }))], rows };
  }
}

/** The name under which a column is queried as it is written in the file. */
export const textName = (column: string): string => `${column} (text)`;
