import { lineOf } from './chunk-rows.ts';
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

/** A whole sheet as a table: its column names, and its rows without titles above the header. */
export class TableCollector extends SheetSink {
  private readonly collected: SheetRow[] = [];

  override take(number: number, cells: readonly Cell[]): boolean {
    this.collected.push({ number, cells });
    return true;
  }

  collectedTable(): { columns: readonly string[]; rows: readonly (readonly Cell[])[] } {
    const { headerRow, columns } = findShape(this.collected.slice(0, HEADER_LOOKAHEAD));
    const widest = this.collected.reduce((width, row) => Math.max(width, row.cells.length), columns.length);
    const names = Array.from({ length: widest }, (_, at) => columns[at] ?? `column_${at + 1}`);
    const data = headerRow === undefined ? this.collected : this.collected.filter((row) => row.number > headerRow);
    return { columns: names, rows: data.map((row) => row.cells) };
  }
}
