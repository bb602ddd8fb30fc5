import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import {
  contentOf,
  filterFrom,
  filterInput,
  madeFileOutput,
  memoryIds,
  placeOutput,
  showMadeFile,
} from '../schemas.ts';

const columnOutput = z.object({
  name: z.string(),
  type: z.enum(['integer', 'real', 'text', 'boolean', 'date', 'datetime']).optional(),
  share: z.number().optional().describe('Share of the filled cells that are of the type; below 1 the column is mixed'),
  examples: z.array(z.string()).optional().describe('Some cells that are not of the type'),
  unit: z.string().optional().describe('Percent sign or currency that was taken off the numbers'),
  note: z.string().optional().describe('What to know before using the column'),
});

export const queryMemoryTables = defineTool({
  name: 'query_memory_tables',
  title: 'Query tables with SQL',
  description: `Runs one SELECT (SQLite) over the sheets, CSV files and tables of documents in the lake, each a table (a PDF's are named by page and number). "SELECT 1" returns all tables with columns and types: run it first. Quote names with spaces: "Unit price". Numbers are read as people write them (1,234.50, €, %, parentheses), missing values are NULL, dates ISO text. A column with a share below 1 is mixed: cells not of its type are NULL, and "Unit price (text)" has every cell as written. The columns _row, _page and _box tell where a row stands, to cite it. Beyond SQLite: STDDEV, VARIANCE, MEDIAN, PERCENTILE(x, 90), CORR(x, y), x REGEXP y, YEAR(d), MONTH(d), DATE_TRUNC('month', d), DATE_DIFF('day', a, b). Dividing integers truncates: multiply by 1.0.`,
  keywords: 'sum, average, total, filter, join or group spreadsheet columns; Excel and CSV as a database; figures',
  input: z.object({
    sql: z.string().trim().min(1).max(20_000).describe('One SELECT statement'),
    memory_ids: memoryIds.optional().describe('Only tables of these memories'),
    ...filterInput,
    limit: z.int().min(1).max(10_000).optional().describe('Maximum rows; default 200'),
    save_as: z
      .string()
      .regex(/^[^\\/\p{Cc}]{1,200}\.(?:csv|json)$/iu, 'must be a filename that ends in .csv or .json')
      .optional()
      .describe('Also write the rows, up to 10000, to this file: .csv or .json'),
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
        sheet: z.string().describe("Worksheet, or the table's name in its document"),
        name: z.string().describe('The same as table'),
        place: placeOutput.describe('Where the table stands in its file'),
        columns: z.array(columnOutput),
        rows: z.int(),
      }),
    ),
    notice: z.string().optional().describe('Which columns of the query are mixed, and what that means for the answer'),
    files: z.array(madeFileOutput).optional().describe('The file of save_as'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NO_TABLES', 'COLLECTION_NOT_FOUND', 'SQL_FAILED', 'FILE_UNREADABLE', 'CODE_UNAVAILABLE', 'RUNNER_BUSY'],
  async run({ sql, memory_ids: memoryIds, limit = 200, save_as: name, ...filter }, { service, signal, attach }) {
    const options = { memoryIds, limit, signal, name, ...filterFrom(filter) };
    const { columns, rows, truncated, tables, notice, files } = await service.queryTables(sql, options);
    for (const content of contentOf(files)) attach(content);
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
        name: table.table,
        place: table.place,
        columns: table.columns.map(({ examples, ...column }) => ({
          ...column,
          ...(examples && { examples: [...examples] }),
        })),
        rows: table.rows,
      })),
      ...(notice !== undefined && { notice }),
      ...(files.length > 0 && { files: files.map(showMadeFile) }),
    };
  },
});
