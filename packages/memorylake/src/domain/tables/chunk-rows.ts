import { ColumnStats } from '../columns/column-stats.ts';
import { type ColumnInfo, describeColumn, infoOf, planColumns } from '../columns/column-types.ts';
import type { Cell } from '../document.ts';
import { CHUNK_WEIGHT, type Chunk } from '../text/chunk-text.ts';
import { cutToWeight, weigh } from '../text/sentences.ts';
import { findShape, HEADER_LOOKAHEAD, namesFor, type SheetRow, type SheetShape } from './sheet-shape.ts';

interface ColumnFacts extends ColumnInfo {
  readonly name: string;
  /** Its range or a few of its values, in words. */
  readonly holds: string;
}

/** What is known of a sheet once it was read. */
export interface SheetFacts {
  readonly name: string;
  readonly headerRow: number | undefined;
  readonly columns: readonly ColumnFacts[];
  /** Rows of data, the header not among them. */
  readonly rows: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

const CELL_LIMIT = 2_000;

/** Gathers the rows of one sheet into chunks, each a range of whole rows under the sheet's column names. */
export class RowChunker {
  readonly #sheet: string;
  readonly #emit: (chunk: Chunk) => void;
  #ahead: SheetRow[] = [];
  #shape: SheetShape | undefined;
  readonly #stats: ColumnStats[] = [];
  #context = '';
  #lines: string[] = [];
  #weight = 0;
  #from = 0;
  #to = 0;
  #count = 0;
  #first = 0;
  #last = 0;

  constructor(sheet: string, emit: (chunk: Chunk) => void) {
    this.#sheet = sheet;
    this.#emit = emit;
  }

  add(number: number, cells: readonly Cell[]): void {
    if (this.#shape) this.#take(number, cells);
    else if (this.#ahead.push({ number, cells }) >= HEADER_LOOKAHEAD) this.#settle();
  }

  /** The facts of the sheet, or undefined when it has no rows. */
  end(): SheetFacts | undefined {
    if (!this.#shape) this.#settle();
    this.#flush();
    if (!this.#shape || this.#last === 0) return undefined;
    const names = namesFor(this.#shape, this.#stats.length);
    const stats = names.map((_, at) => this.#stats[at] ?? new ColumnStats());
    const plans = planColumns(stats);
    return {
      name: this.#sheet,
      headerRow: this.#shape.headerRow,
      columns: names.map((name, at) => ({
        name,
        holds: describeColumn(stats[at]!, plans[at]!),
        ...infoOf(plans[at]!),
      })),
      rows: this.#count,
      firstRow: this.#first,
      lastRow: this.#last,
    };
  }

  #settle(): void {
    this.#shape = findShape(this.#ahead);
    const named = this.#shape.headerRow === undefined ? [] : this.#shape.columns;
    this.#context = [this.#sheet, named.slice(0, 40).join(', ')].filter((part) => part !== '').join(': ');
    for (const row of this.#ahead) this.#take(row.number, row.cells);
    this.#ahead = [];
  }

  #take(number: number, cells: readonly Cell[]): void {
    const header = this.#shape?.headerRow;
    if (this.#first === 0) this.#first = number;
    this.#last = number;
    if (header === undefined || number > header) {
      this.#count++;
      for (let at = 0; at < cells.length; at++) {
        let stats = this.#stats[at];
        if (!stats) {
          stats = new ColumnStats();
          this.#stats[at] = stats;
        }
        stats.add(cells[at]);
      }
    }
    this.#write(number, lineOf(cells));
  }

  #write(number: number, line: string): void {
    const weight = weigh(line) + 1;
    if (weight > CHUNK_WEIGHT) {
      this.#writeLong(number, line);
      return;
    }
    if (this.#weight + weight > CHUNK_WEIGHT) this.#flush();
    if (this.#lines.length === 0) this.#from = number;
    this.#to = number;
    this.#lines.push(line);
    this.#weight += weight;
  }

  #writeLong(number: number, line: string): void {
    this.#flush();
    for (const piece of cutToWeight(line, CHUNK_WEIGHT)) {
      this.#lines = [piece];
      this.#from = number;
      this.#to = number;
      this.#flush();
    }
  }

  #flush(): void {
    if (this.#lines.length > 0) {
      this.#emit({
        text: this.#lines.join('\n'),
        place: { sheet: this.#sheet, rows: [this.#from, this.#to] },
        context: this.#context,
      });
    }
    this.#lines = [];
    this.#weight = 0;
  }
}

/** A row as one line; an empty cell keeps its place, so that every value stands under its column. */
export function lineOf(cells: readonly Cell[]): string {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] === null || cells[width - 1] === '')) width--;
  let line = '';
  for (let at = 0; at < width; at++) {
    const cell = cells[at] ?? '';
    const text = typeof cell === 'string' ? cell.slice(0, CELL_LIMIT).replace(/\s+/g, ' ').trim() : String(cell);
    line = at === 0 ? text : `${line} | ${text}`;
  }
  return line;
}
