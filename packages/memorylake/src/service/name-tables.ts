import type { Collection } from '@atoll-mcp/core/storage';
import { freeName, tableNameFor } from '../domain/tables/table-names.ts';
import type { MemoryRecord, PendingWork, SheetRecord, TableNameRecord } from './memory-record.ts';

/** A sheet or table that has no name in SQL yet. */
export type NewSheet = Omit<SheetRecord, 'table'>;

interface Named<Sheet> {
  readonly sheets: readonly Sheet[];
  readonly documentTables: readonly Sheet[];
}

/** Gives sheets and tables their names in SQL. A name stays with its sheet for as long as the memory lives. */
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
  // Their names always say where they stand, so that they stay when another table joins.
  for (const table of documentTables) namedTables.push(await named(table, 2));
  return { sheets: namedSheets, documentTables: namedTables };
}

const isOthers = (taken: TableNameRecord | undefined, memoryId: string, sheet: string): boolean =>
  taken !== undefined && (taken.memoryId !== memoryId || taken.sheet !== sheet);

/** A piece of work on a memory and what came of it so far. */
export type WorkStep = [
  id: string,
  pending: PendingWork,
  result: Partial<MemoryRecord>,
  sheets: readonly NewSheet[],
  documentTables?: readonly NewSheet[],
];
