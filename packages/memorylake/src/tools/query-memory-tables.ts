import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryIds } from '../schemas.ts';

export const queryMemoryTables = defineTool({
  name: 'query_memory_tables',
  title: 'Query tables with SQL',
  description:
    'Runs one SELECT (SQLite) over the sheets and CSV files of the lake, each of which is a table; dates are ISO text. Answers list the tables that were used with their columns. To see all table names first, run "SELECT 1". Quote column names that have spaces: "Unit price".',
  input: z.object({
    sql: z.string().trim().min(1).max(20_000).describe('One SELECT statement'),
    memory_ids: memoryIds.optional().describe('Only tables of these memories'),
    limit: z.int().min(1).max(10_000).optional().describe('Most rows to return; 200 unless given'),
  }),
  output: z.object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    n: z.int().describe('How many rows are returned'),
    truncated: z.boolean().describe('Whether there were more'),
    tables: z.array(
      z.object({
        table: z.string().describe('Name to use in SQL'),
        memory_id: z.string(),
        memory_name: z.string(),
        sheet: z.string(),
        columns: z.array(z.string()),
        rows: z.int(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NO_TABLES', 'SQL_FAILED', 'FILE_UNREADABLE', 'CODE_UNAVAILABLE', 'RUNNER_BUSY'],
  async run({ sql, memory_ids: memoryIds, limit = 200 }, { service, signal }) {
    const { columns, rows, truncated, tables } = await service.queryTables(sql, { memoryIds, limit, signal });
    return {
      columns: [...columns],
      rows: rows.map((row) => [...row]),
      n: rows.length,
      truncated,
      tables: tables.map((table) => ({
        table: table.table,
        memory_id: table.memoryId,
        memory_name: table.memoryName,
        sheet: table.sheet,
        columns: [...table.columns],
        rows: table.rows,
      })),
    };
  },
});
