import { areNames, columnsOf, isFilled, kindOf, valueColumns } from './row-kinds.ts';
import { HEADER_LOOKAHEAD, type SheetRow } from './sheet-shape.ts';

/** Rows by which one block must be longer than another: one may be a sum below a table with a blank column in it. */
const CLEARLY_LONGER = 2;
const MAX_BLOCKS = 4;

/** Columns of a sheet from the first to before the last. */
interface Block {
  readonly from: number;
  readonly to: number;
}

/**
 * Tells tables apart that stand beside each other on a sheet, with a blank column between them, where that cannot be mistaken:
 * each has names in the same row and values below them, and they repeat their names or end in different rows.
 */
export class BlockSplitter {
  readonly #emit: (row: SheetRow) => void;
  #ahead: SheetRow[] | undefined = [];
  #blocks: readonly Block[] = [];
  readonly #beside: SheetRow[][] = [];

  /** Rows of the first block, or whole rows where there is one alone, are given at once. */
  constructor(emit: (row: SheetRow) => void) {
    this.#emit = emit;
  }

  push(row: SheetRow): void {
    if (!this.#ahead) this.#give(row);
    else if (this.#ahead.push(row) >= HEADER_LOOKAHEAD) this.#settle();
  }

  /** Gives the rows of the other blocks, from left to right. */
  end(): SheetRow[][] {
    this.#settle();
    return this.#beside.splice(0);
  }

  #settle(): void {
    const rows = this.#ahead ?? [];
    this.#ahead = undefined;
    this.#blocks = blocksOf(rows);
    this.#beside.push(...this.#blocks.slice(1).map(() => []));
    for (const row of rows) this.#give(row);
  }

  #give(row: SheetRow): void {
    const [first, ...others] = this.#blocks;
    if (!first) {
      this.#emit(row);
      return;
    }
    // Something stands over the gap: what follows is not these tables.
    if (columnsOf(row).some((at) => !this.#blocks.some(({ from, to }) => at >= from && at < to))) {
      this.#blocks = [];
      this.#emit(row);
      return;
    }
    const own = row.cells.slice(0, first.to);
    if (own.some(isFilled)) this.#emit({ ...row, cells: own });
    for (const [at, block] of others.entries()) {
      const part = inBlock(row, block);
      if (part.cells.some(isFilled)) this.#beside[at]!.push(part);
    }
  }
}

const inBlock = (row: SheetRow, { from, to }: Block): SheetRow => ({ ...row, cells: row.cells.slice(from, to) });

/** The blocks of a sheet by its first rows; none when they are one table. */
function blocksOf(rows: readonly SheetRow[]): Block[] {
  const blocks = columnRuns(rows);
  if (blocks.length < 2 || blocks.length > MAX_BLOCKS) return [];
  const tables = blocks.map((block) => rows.map((row) => inBlock(row, block)));
  const header = rows.findIndex((_, at) =>
    tables.every((table, of) => columnsOf(table[at]!).length === blocks[of]!.to - blocks[of]!.from),
  );
  if (header < 0 || !tables.every((table) => areTable(table, header))) return [];
  const lengths = tables.map((table) => table.slice(header + 1).filter(({ cells }) => cells.some(isFilled)).length);
  const names = new Set(tables.map((table) => JSON.stringify(table[header]!.cells)));
  const areUneven = Math.max(...lengths) - Math.min(...lengths) >= CLEARLY_LONGER;
  return names.size < tables.length || areUneven ? blocks : [];
}

/** Columns with values, as runs between blank columns. */
function columnRuns(rows: readonly SheetRow[]): Block[] {
  const used = new Set(rows.flatMap(columnsOf));
  const runs: Block[] = [];
  for (const at of [...used].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === at) runs[runs.length - 1] = { from: last.from, to: at + 1 };
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

/** Names, at most a title above them, and below them rows without a gap whose first cells are words or dates. */
function areTable(table: readonly SheetRow[], header: number): boolean {
  const names = table[header]!;
  const below = table.slice(header + 1);
  const end = below.findLastIndex(({ cells }) => cells.some(isFilled)) + 1;
  const keys = below.slice(0, end).map(({ cells }) => cells[0]);
  return (
    areNames(names) &&
    table.slice(0, header).every((row) => columnsOf(row).length <= 1) &&
    valueColumns(names, below).length > 0 &&
    keys.every((key) => isFilled(key) && (kindOf(key) === undefined || kindOf(key) === 'date'))
  );
}
