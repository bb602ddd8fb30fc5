import type { CodeRunner, FileReader, LocalBlobStore, NamedTypedTable } from '../backends/interface.ts';
import type { ColumnInfo } from '../domain/columns/column-types.ts';
import type { Place } from '../domain/document.ts';
import { type MemoryFilter, passes } from '../domain/organise/memory-filter.ts';
import { PLACE_COLUMNS, type TypedTable, textName } from '../domain/tables/table-rows.ts';
import { noTables, sqlFailed } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import type { MemoryRecord, SheetRecord } from './memory-record.ts';
import { mentions, noticeOf } from './results/table-notices.ts';

export interface TableListing {
  readonly table: string;
  readonly memoryId: string;
  readonly memoryName: string;
  readonly sheet: string;
  readonly place: Place;
  readonly columns: readonly ColumnListing[];
  readonly rows: number;
}

export interface ColumnListing extends Partial<ColumnInfo> {
  readonly name: string;
}

export interface TableAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly truncated: boolean;
  readonly tables: readonly TableListing[];
  /** Warns about columns in the query with mixed types. */
  readonly notice: string | undefined;
}

const LISTED = 200;
/** Rows in one answer. */
export const MAX_ROWS = 10_000;

/** Runs SQL over the lake: each sheet, CSV file and table of a document is a table. */
export class Tables {
  readonly #options: { catalog: Catalog; blobs: LocalBlobStore; reader: FileReader; runner: CodeRunner };

  constructor(options: { catalog: Catalog; blobs: LocalBlobStore; reader: FileReader; runner: CodeRunner }) {
    this.#options = options;
  }

  async query(
    sql: string,
    wanted: { readonly memoryIds?: readonly string[] | undefined } & MemoryFilter,
    maxRows: number,
    signal?: AbortSignal,
  ): Promise<TableAnswer> {
    const sheets = (await this.#sheets(wanted.memoryIds)).filter(({ memory }) => passes(wanted, memory));
    if (sheets.length === 0) throw noTables();
    const named = sheets.filter(({ sheet }) => mentions(sql, sheet.table));
    const loaded = await Promise.all(
      named.map(async ({ memory, sheet }) => ({ memory, sheet, table: await this.#load(memory, sheet, sql, signal) })),
    );
    const tables = loaded.map(({ sheet, table }) => ({ ...table, name: sheet.table }));
    const answer = await this.#options.runner.query(tables, sql, { maxRows, ...(signal && { signal }) });
    if (answer.error !== undefined) throw sqlFailed(answer.error, hint(sheets));
    const listed =
      loaded.length > 0
        ? loaded.map(({ memory, sheet, table }) => listing(memory, sheet, table.columns))
        : sheets.slice(0, LISTED).map(({ memory, sheet }) => listing(memory, sheet, storedColumns(sheet)));
    const notice = noticeOf(sql, loaded.length > 0 ? listed : [], tables);
    return { columns: answer.columns, rows: answer.rows, truncated: answer.truncated, tables: listed, notice };
  }

  async #sheets(memoryIds: readonly string[] | undefined) {
    const found = (await this.#options.catalog.withTables(memoryIds)).flatMap((memory) =>
      sheetsOf(memory).map((sheet) => ({ memory, sheet })),
    );
    return found.sort((a, b) => (a.sheet.table < b.sheet.table ? -1 : 1));
  }

  async #load(memory: MemoryRecord, sheet: SheetRecord, sql: string, signal?: AbortSignal): Promise<TypedTable> {
    const path = await this.#options.blobs.localPath(memory.blobKey);
    const file = { path, name: memory.name };
    const query = sql.toLowerCase();
    // Text columns are loaded only if the query names them.
    const texts = sheet.columns.filter((name) => query.includes(textName(name).toLowerCase().replaceAll('"', '""')));
    const places = PLACE_COLUMNS.filter((name) => mentions(sql, name));
    return this.#options.reader.table(file, memory.format!, { sheet: sheet.name, texts, places }, signal);
  }

  /** All tables of a memory, for code; undefined if the memory does not exist. */
  async tablesOf(memoryId: string): Promise<readonly NamedTypedTable[] | undefined> {
    const [memory] = await this.#options.catalog.memories.getMany([memoryId]);
    if (memory?.status !== 'ready') return undefined;
    const tables: NamedTypedTable[] = [];
    for (const sheet of sheetsOf(memory)) tables.push({ ...(await this.#load(memory, sheet, '')), name: sheet.table });
    return tables;
  }
}

const sheetsOf = (memory: MemoryRecord): SheetRecord[] => [...memory.sheets, ...(memory.documentTables ?? [])];

const listing = (memory: MemoryRecord, sheet: SheetRecord, columns: readonly ColumnListing[]): TableListing => ({
  table: sheet.table,
  memoryId: memory.id,
  memoryName: memory.name,
  sheet: sheet.name,
  place: sheet.place ?? { sheet: sheet.name },
  columns,
  rows: sheet.rows,
});

const storedColumns = ({ columns, types }: SheetRecord): ColumnListing[] =>
  columns.map((name, at) => ({ name, ...types?.[at] }));

const hint = (sheets: readonly { sheet: SheetRecord }[]): string =>
  `Tables: ${sheets
    .slice(0, 40)
    .map(({ sheet }) => `${sheet.table} (${sheet.columns.slice(0, 20).join(', ')})`)
    .join('; ')}.`;
