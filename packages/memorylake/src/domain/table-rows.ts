import type { Cell, ReadSink } from './document.ts';
import { findShape, HEADER_LOOKAHEAD, type SheetRow } from './sheet-shape.ts';

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
  tables(): void {}
  figures(): void {}
  title(): void {}
}

/** Rows of a sheet from one number to another. */
export class RowCollector extends SheetSink {
  readonly rows: SheetRow[] = [];
  private readonly from: number;
  private readonly to: number;

  constructor(sheet: string, from: number, to: number) {
    super(sheet);
    this.from = from;
    this.to = to;
  }

  override take(number: number, cells: readonly Cell[]): boolean {
    if (number >= this.from && number <= this.to) this.rows.push({ number, cells });
    return number < this.to;
  }
}

/** A whole sheet as a table: its column names, and its rows without titles above the header. */
export class TableCollector extends SheetSink {
  private readonly collected: SheetRow[] = [];

  override take(number: number, cells: readonly Cell[]): boolean {
    this.collected.push({ number, cells });
    return true;
  }

  table(): { columns: readonly string[]; rows: readonly (readonly Cell[])[] } {
    const { headerRow, columns } = findShape(this.collected.slice(0, HEADER_LOOKAHEAD));
    const widest = this.collected.reduce((width, row) => Math.max(width, row.cells.length), columns.length);
    const names = Array.from({ length: widest }, (_, at) => columns[at] ?? `column_${at + 1}`);
    const data = headerRow === undefined ? this.collected : this.collected.filter((row) => row.number > headerRow);
    return { columns: names, rows: data.map((row) => row.cells) };
  }
}
