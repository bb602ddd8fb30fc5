import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

export const fromMemoryTables = defineTool({
  name: 'from_memory_tables',
  title: 'Make a tensor of a query',
  description:
    'Stores the numbers of one SELECT (see query_memory_tables) as a tensor of rows × columns; one column makes a vector. NULL becomes NaN.',
  input: z.object({
    sql: z.string().trim().min(1).max(20_000).describe('Columns of numbers, at most 10000 rows'),
    name: z.string().min(1).max(255).describe('Name of the tensor'),
    memory_ids: z.array(z.string()).optional().describe('Only tables of these memories'),
    description: z.string().optional().describe('The SQL unless given'),
  }),
  output: z.object({
    uuid: z.string(),
    name: z.string(),
    shape: z.array(z.int()),
    columns: z.array(z.string()).describe('What the columns of the tensor hold, in order'),
    notice: z.string().optional().describe('What the query says of its columns'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['NOT_AVAILABLE', 'QUERY_FAILED', 'NOT_SAVED'],
  run: (input, { service, request }) => service.fromMemoryTables(input, request),
});
