import type { Collection } from '@atoll-mcp/core/storage';
import { freeName, tableNameFor } from '../domain/tables/table-names.ts';
import type { MemoryRecord, PendingWork, SheetRecord, TableNameRecord } from './memory-record.ts';

/** A sheet or table before it gets its name in SQL. */
export type NewSheet = Omit<SheetRecord, 'table'>;

interface Named<Sheet> {
  readonly sheets: readonly Sheet[];
  readonly documentTables: readonly Sheet[];
}

/** Assigns names in SQL to sheets and tables. A sheet keeps its name while the memory exists. */
export async function nameTables(
  tableNames: Collection<TableNameRecord>,
  memory: MemoryRecord,
  fileName: string,
  { sheets, documentTables }: Named<NewSheet>,
): Promise<Named<SheetRecord>> {
  const known = [...memory.sheets, ...(memory.documentTables ?? [])];
  const named = async (sheet: NewSheet, count: number): Promise<SheetRecord> => {
    const preferred = tableNameFor(fileName, sheet.name, count);
    const isTaken = async (name: string) => isOthers(await tableNames.get(name), memory.id, sheet.name);
    const table = known.find(({ name }) => name === sheet.name)?.table ?? (await freeName(preferred, isTaken));
    await tableNames.put({ id: table, memoryId: memory.id, sheet: sheet.name });
    return { ...sheet, table };
  };
  const namedSheets: SheetRecord[] = [];
  for (const sheet of sheets) namedSheets.push(await named(sheet, sheets.length));
  const namedTables: SheetRecord[] = [];
  // Their names always include their position, so that they stay the same when tables are added.
  for (const table of documentTables) namedTables.push(await named(table, 2));
  return { sheets: namedSheets, documentTables: namedTables };
}

const isOthers = (taken: TableNameRecord | undefined, memoryId: string, sheet: string): boolean =>
  taken !== undefined && (taken.memoryId !== memoryId || taken.sheet !== sheet);

/** A step of work on a memory with its result. */
export type WorkStep = [
  id: string,
  pending: PendingWork,
  result: Partial<MemoryRecord>,
  sheets: readonly NewSheet[],
  documentTables?: readonly NewSheet[],
];
