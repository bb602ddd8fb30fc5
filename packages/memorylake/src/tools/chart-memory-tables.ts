import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { chartType, contentOf, filterFrom, filterInput, madeFileOutput, memoryIds, showMadeFile } from '../schemas.ts';

const column = z.string().min(1).max(1_000).optional();

export const chartMemoryTables = defineTool({
  name: 'chart_memory_tables',
  title: 'Draw a chart of tables',
  description:
    'Runs one SELECT as query_memory_tables does and returns a picture (PNG), the Vega-Lite spec and the rows. chart is {type, x, y, color?, title?} with column names of the query, or a Vega-Lite spec without data, such as {mark: "area", encoding: {…}}. Aggregate in SQL; give columns plain names with AS. bar, histogram and heatmap count rows without numbers.',
  keywords: 'bar chart, pie, line graph, plot, diagram of spreadsheet or CSV data; visualise, draw',
  input: z.object({
    sql: z.string().trim().min(1).max(20_000).describe('One SELECT; at most 10000 rows are drawn'),
    chart: z
      .looseObject({
        type: chartType.optional().describe('Without it, chart is a Vega-Lite spec'),
        x: column.describe('Column of the x axis'),
        y: column.describe('Column of the y axis'),
        color: column.describe('Column shown as colour; in a heatmap, the numbers'),
        title: z.unknown().optional().describe('Text above the chart'),
      })
      .describe('Short form, or a Vega-Lite spec without data and URLs'),
    memory_ids: memoryIds.optional().describe('Only tables of these memories'),
    ...filterInput,
    limit: z.int().min(1).max(10_000).optional().describe('Maximum rows to return beside the chart; default 50'),
  }),
  output: z.object({
    spec: z.record(z.string(), z.unknown()).describe('Vega-Lite spec of the chart, without its data'),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).describe('The first rows that were drawn'),
    n: z.int().describe('How many rows were drawn'),
    truncated: z.boolean().describe('Whether the query had more rows than were drawn'),
    files: z.array(madeFileOutput).describe('The picture'),
    notice: z.string().optional().describe('What to know before trusting the chart'),
  }),
  meta: { ui: { resourceUri: 'ui://memorylake/chart' } },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [
    'CHART_FAILED',
    'CHARTS_UNAVAILABLE',
    'NO_TABLES',
    'COLLECTION_NOT_FOUND',
    'SQL_FAILED',
    'FILE_UNREADABLE',
    'CODE_UNAVAILABLE',
    'RUNNER_BUSY',
  ],
  async run({ sql, chart, memory_ids: memoryIds, limit = 50, ...filter }, { service, signal, attach }) {
    const wanted = { memoryIds, signal, ...filterFrom(filter) };
    const { type, x, y, color, title } = chart;
    const request = type === undefined ? { spec: chart } : { type, x, y, color, title: title?.toString() };
    const { columns, rows, truncated, spec, file, notice } = await service.chart(sql, request, wanted);
    for (const content of contentOf([file])) attach(content);
    return {
      spec: { ...spec },
      columns: [...columns],
      rows: rows.slice(0, limit).map((row) => [...row]),
      n: rows.length,
      truncated,
      files: [showMadeFile(file)],
      ...(notice !== undefined && { notice }),
    };
  },
});
