import { ask } from '../mcp.ts';

export interface Column {
  readonly name: string;
  readonly type?: string;
  readonly share?: number;
  readonly examples?: readonly string[];
  readonly unit?: string;
  readonly note?: string;
}

export interface TableInfo {
  readonly table: string;
  readonly memory_id: string;
  readonly memory_name: string;
  readonly sheet: string;
  readonly columns: readonly Column[];
  readonly rows: number;
}

export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly n: number;
  readonly truncated: boolean;
  readonly tables: readonly TableInfo[];
  readonly notice?: string;
}

export async function querySql(sql: string, signal: AbortSignal): Promise<SqlAnswer> {
  return (await ask<{ result: SqlAnswer }>('query_memory_tables', { sql }, { signal })).result;
}

/** Every table with its columns. A lake without any refuses the query and says so. */
export async function listTables(signal: AbortSignal): Promise<readonly TableInfo[]> {
  return (await querySql('SELECT 1', signal)).tables;
}

/** A name as SQL wants it. */
export function sqlName(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
