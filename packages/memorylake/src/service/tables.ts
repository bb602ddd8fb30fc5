import type { BlobStore } from '@atoll-mcp/core/storage';
import type { CodeRunner, FileReader, SqlTableInput } from '../backends/interface.ts';
import { columnTypes } from '../domain/column-types.ts';
import { noTables, sqlFailed } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import type { MemoryRecord, SheetRecord } from './memory-record.ts';

export interface TableListing {
  readonly table: string;
  readonly memoryId: string;
  readonly memoryName: string;
  readonly sheet: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface TableAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly truncated: boolean;
  readonly tables: readonly TableListing[];
}

const LISTED = 200;

/** Runs SQL over the sheets of the lake: each sheet and CSV file is a table. */
export class Tables {
  private readonly options: { catalog: Catalog; blobs: BlobStore; reader: FileReader; runner: CodeRunner };

  constructor(options: { catalog: Catalog; blobs: BlobStore; reader: FileReader; runner: CodeRunner }) {
    this.options = options;
  }

  async query(
    sql: string,
    memoryIds: readonly string[] | undefined,
    maxRows: number,
    signal?: AbortSignal,
  ): Promise<TableAnswer> {
    const sheets = await this.sheets(memoryIds);
    if (sheets.length === 0) throw noTables();
    const named = sheets.filter(({ sheet }) => mentions(sql, sheet.table));
    const tables = await Promise.all(named.map(({ memory, sheet }) => this.load(memory, sheet, signal)));
    const answer = await this.options.runner.query(tables, sql, { maxRows, ...(signal && { signal }) });
    if (answer.error !== undefined) throw sqlFailed(answer.error, hint(sheets));
    const listed = (named.length > 0 ? named : sheets.slice(0, LISTED)).map(({ memory, sheet }) =>
      listing(memory, sheet),
    );
    return { columns: answer.columns, rows: answer.rows, truncated: answer.truncated, tables: listed };
  }

  private async sheets(memoryIds: readonly string[] | undefined) {
    const where = { status: 'ready', type: 'excel_file', ...(memoryIds && { id: { in: memoryIds } }) } as const;
    const found: { memory: MemoryRecord; sheet: SheetRecord }[] = [];
    for await (const memory of this.options.catalog.memories.scan(where)) {
      for (const sheet of memory.sheets) found.push({ memory, sheet });
    }
    return found.sort((a, b) => (a.sheet.table < b.sheet.table ? -1 : 1));
  }

  private async load(memory: MemoryRecord, sheet: SheetRecord, signal?: AbortSignal): Promise<SqlTableInput> {
    const path = await this.options.blobs.localPath!(memory.blobKey);
    const file = { path, name: memory.name };
    const { columns, rows } = await this.options.reader.table(file, memory.format!, sheet.name, signal);
    const types = columnTypes(columns.length, rows);
    return { name: sheet.table, columns: columns.map((name, at) => ({ name, type: types[at]! })), rows };
  }
}

const listing = (memory: MemoryRecord, sheet: SheetRecord): TableListing => ({
  table: sheet.table,
  memoryId: memory.id,
  memoryName: memory.name,
  sheet: sheet.name,
  columns: sheet.columns,
  rows: sheet.rows,
});

const hint = (sheets: readonly { sheet: SheetRecord }[]): string =>
  `Tables: ${sheets
    .slice(0, 40)
    .map(({ sheet }) => `${sheet.table} (${sheet.columns.slice(0, 20).join(', ')})`)
    .join('; ')}.`;

/** Whether the query has the name as a word of its own, quoted or not. */
function mentions(sql: string, table: string): boolean {
  const text = sql.toLowerCase();
  const letter = /[\p{L}\p{N}_]/u;
  for (let at = text.indexOf(table); at >= 0; at = text.indexOf(table, at + 1)) {
    if (!letter.test(text[at - 1] ?? ' ') && !letter.test(text[at + table.length] ?? ' ')) return true;
  }
  return false;
}
