import { areNames, columnsOf, isFilled, ROWS_SEEN, valueColumns } from './row-kinds.ts';
import { findShape, HEADER_LOOKAHEAD, type SheetRow } from './sheet-shape.ts';
import { BlockSplitter } from './side-by-side.ts';

/** Rows of a title above the names of a table. */
const MAX_TITLES = 2;
/** Two columns of so few rows above a wider table say what it is about: `Client; ACME`. */
const MAX_FACTS = 4;

/** What a further table on a sheet is called; the first one has the name of the sheet. */
export const lowerTableName = (sheet: string, table: number): string => `${sheet} table ${table + 1}`;

/**
 * Tells tables apart that stand below each other on a sheet: after a blank row, names that differ from those above, with values
 * below them; and after those the ones that stand beside them. What is unclear stays in one table.
 */
export class SheetSplitter {
  readonly #emit: (row: SheetRow, table: number) => void;
  #table = 0;
  #last = 0;
  /** The first rows of the table, and whether they are one. */
  #head: SheetRow[] = [];
  #isTable: boolean | undefined;
  /** Rows below a blank one, until they tell whether a table begins with them. */
  #pending: SheetRow[] = [];

  readonly #blocks: BlockSplitter;

  constructor(emit: (row: SheetRow, table: number) => void) {
    this.#emit = emit;
    this.#blocks = new BlockSplitter((row) => this.#take(row));
  }

  push(row: SheetRow): void {
    if (row.cells.some(isFilled)) this.#blocks.push(row);
  }

  end(): void {
    const beside = this.#blocks.end();
    this.#settle();
    for (const rows of beside) {
      this.#table++;
      for (const row of rows) this.#emit(row, this.#table);
    }
  }

  #take(row: SheetRow): void {
    const isApart = this.#last > 0 && row.number > this.#last + 1;
    this.#last = row.number;
    if (isApart) this.#settle();
    if (isApart) this.#isTable ??= isTable(this.#head);
    if (this.#pending.length > 0 || (isApart && this.#isTable)) {
      this.#pending.push(row);
      if (this.#pending.length >= MAX_TITLES + 1 + ROWS_SEEN) this.#settle();
    } else this.#give(row);
  }

  #settle(): void {
    const rows = this.#pending;
    this.#pending = [];
    if (rows.length > 0 && beginsTable(rows, this.#head)) {
      this.#table++;
      this.#head = [];
      this.#isTable = undefined;
    }
    for (const row of rows) this.#give(row);
  }

  #give(row: SheetRow): void {
    if (this.#head.length < HEADER_LOOKAHEAD) {
      this.#head.push(row);
      this.#isTable = undefined;
    }
    this.#emit(row, this.#table);
  }
}

/** Names with rows below them that have values of one kind in one of the columns. */
function isTable(rows: readonly SheetRow[]): boolean {
  const { headerRow } = findShape(rows);
  const header = rows.find(({ number }) => number === headerRow);
  return header !== undefined && areNames(header) && valueColumns(header, rowsBelow(rows, header)).length > 0;
}

const rowsBelow = (rows: readonly SheetRow[], header: SheetRow): SheetRow[] =>
  rows.filter(({ number }) => number > header.number);

function beginsTable(rows: readonly SheetRow[], above: readonly SheetRow[]): boolean {
  const titles = rows.findIndex((row) => columnsOf(row).length > 1);
  const header = rows[titles];
  if (!header || titles > MAX_TITLES || !areNames(header)) return false;
  const below = rows.slice(titles + 1);
  const named = new Set(columnsOf(header));
  if (below.some((row) => columnsOf(row).some((at) => !named.has(at)))) return false;
  const values = valueColumns(header, below);
  const { headerRow } = findShape(above);
  const first = above.find(({ number }) => number === headerRow);
  if (values.length === 0 || !first) return false;
  const width = Math.max(...above.map((row) => columnsOf(row).length));
  if (width <= 2 && named.size > 2 && above.length <= MAX_FACTS) return false;
  // The same names again go on with the same table.
  const words = (row: SheetRow) => JSON.stringify(row.cells.filter(isFilled).map((cell) => String(cell).trim()));
  return words(first) !== words(header);
}
