import type { DocumentTable, ReadSink, TextBlock } from '../document.ts';
import {
  gridOf,
  MAX_COLUMNS,
  MAX_SPAN,
  type OpenCell,
  type OpenTable,
  type Paragraph,
  textOfCell,
} from './table-grid.ts';
import { splitTitle } from './table-header.ts';

/** Where the blocks of a writer stand, beside their own numbers. */
type BlockPlace = Pick<TextBlock, 'slide' | 'part'>;

interface CellSpan {
  readonly columns?: number;
  readonly rows?: number;
}

/** Tables nested deeper than this are read as part of the cell they stand in. */
const MAX_DEPTH = 20;
/** Receives paragraphs and tables in reading order and gives them to a sink with their numbers. */
export class DocumentWriter {
  readonly #sink: ReadSink;
  readonly #tables: OpenTable[] = [];
  #tooDeep = 0;
  #paragraphs = 0;
  place: BlockPlace = {};

  constructor(sink: ReadSink) {
    this.#sink = sink;
  }

  /** Depth of the table that is open, 0 outside of tables. */
  get depth(): number {
    return this.#tables.length;
  }

  paragraph(text: string, options: { heading?: number | undefined; line?: number | undefined } = {}): void {
    const clean = tidy(text);
    if (clean === '') return;
    const cell = this.#tables.at(-1)?.rows.at(-1)?.at(-1);
    if (cell) cell.blocks.push({ text: clean, ...options });
    else this.#emit({ text: clean, ...options });
  }

  openTable(): void {
    if (this.#tables.length >= MAX_DEPTH) this.#tooDeep++;
    else this.#tables.push({ rows: [], headerRows: 0, caption: '' });
  }

  openRow(): void {
    const table = this.#tables.at(-1);
    if (table && this.#tooDeep === 0) table.rows.push([]);
  }

  openCell({ columns = 1, rows = 1 }: CellSpan = {}): void {
    const table = this.#tables.at(-1);
    if (!table || this.#tooDeep > 0) return;
    if (table.rows.length === 0) table.rows.push([]);
    table.rows.at(-1)!.push({ blocks: [], columns: clamp(columns, MAX_COLUMNS), rows: clamp(rows, MAX_SPAN) });
  }

  widenCell(columns: number): void {
    const cell = this.#tables.at(-1)?.rows.at(-1)?.at(-1);
    if (cell && this.#tooDeep === 0) cell.columns = clamp(columns, MAX_COLUMNS);
  }

  continueAbove(): void {
    const cell = this.#tables.at(-1)?.rows.at(-1)?.at(-1);
    if (cell && this.#tooDeep === 0) cell.continues = true;
  }

  caption(text: string): void {
    const table = this.#tables.at(-1);
    if (table && this.#tooDeep === 0) table.caption = tidy(text);
  }

  /** The rows so far are those that name the columns. */
  headerEnds(): void {
    const table = this.#tables.at(-1);
    if (table && this.#tooDeep === 0) table.headerRows = table.rows.length;
  }

  /** The last row names columns too, if all rows before it do. */
  headerRowEnds(): void {
    const table = this.#tables.at(-1);
    if (table && this.#tooDeep === 0 && table.headerRows === table.rows.length - 1) table.headerRows++;
  }

  closeTable(): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const table = this.#tables.pop();
    if (!table) return;
    const outer = this.#tables.at(-1);
    if (!outer) this.#emitTable(table);
    else {
      if (outer.rows.length === 0) outer.rows.push([]);
      const row = outer.rows.at(-1)!;
      if (row.length === 0) row.push({ blocks: [], columns: 1, rows: 1 });
      row.at(-1)!.blocks.push(table);
    }
  }

  /** Closes what a broken file left open. */
  end(): void {
    this.#tooDeep = 0;
    while (this.#tables.length > 0) this.closeTable();
  }

  #emit({ text, heading, line }: Paragraph): void {
    const paragraph = ++this.#paragraphs;
    this.#sink.text({
      text,
      line: line ?? paragraph,
      paragraph,
      ...this.place,
      ...(heading === undefined ? {} : { heading }),
    });
  }

  #emitTable(table: OpenTable): void {
    if (isLayout(table)) {
      if (table.caption !== '') this.#emit({ text: table.caption });
      for (const cell of table.rows.flat()) {
        for (const block of cell.blocks) {
          if ('rows' in block) this.#emitTable(block);
          else this.#emit(block);
        }
      }
      return;
    }
    if (table.caption !== '') this.#emit({ text: table.caption });
    const first = this.#paragraphs + 1;
    for (const row of table.rows) {
      const line = row.flatMap(({ blocks }) => blocks).find((block) => !('rows' in block)) as Paragraph | undefined;
      const text = row
        .map(textOfCell)
        .join(' | ')
        .replace(/^[\s|]+|[\s|]+$/g, '');
      if (text !== '') this.#emit({ text: text.replace(/\s+/g, ' '), line: line?.line });
    }
    const { title, below, headerRows } = splitTitle(table);
    const rows = gridOf(below);
    if (rows.length === 0) return;
    const caption = table.caption === '' ? title : table.caption;
    this.#sink.table({
      headerRows: Math.min(headerRows, rows.length),
      rows: rows.map((cells) => ({ cells })),
      paragraph: first,
      ...(caption === '' ? {} : { caption }),
      ...this.place,
    } satisfies DocumentTable);
  }
}

/** Tables that only place things on a page: one column, tables inside, or one row of long texts. */
function isLayout({ rows }: OpenTable): boolean {
  const widest = rows.reduce((max, row) => Math.max(max, width(row)), 0);
  if (widest < 2) return true;
  const cells = rows.flat();
  if (cells.some(({ blocks }) => blocks.some((block) => 'rows' in block))) return true;
  if (cells.some(({ blocks }) => blocks.some((block) => 'heading' in block && block.heading !== undefined)))
    return true;
  return rows.length === 1 && cells.some((cell) => textOfCell(cell).length > 300);
}

const width = (row: readonly OpenCell[]): number => row.reduce((sum, { columns }) => sum + columns, 0);

const clamp = (span: number, max: number): number => (Number.isInteger(span) && span > 0 ? Math.min(span, max) : 1);

const tidy = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
