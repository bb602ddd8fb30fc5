import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, limit, looks, QUERY_TYPES, row, toWire } from '../schemas.ts';

export const readMstyDatabase = defineTool({
  name: 'read_msty_database',
  title: "Read Msty's database",
  description:
    'Reads the workspace database, also while Msty runs: counts (stats), tables, conversations, personas, prompts, tools, or one allowed table (custom). Use search_conversations to find text.',
  keywords: 'SQLite rows, SQL tables, raw data of the app',
  input: z.object({
    query_type: z.enum(QUERY_TYPES).describe('What to read; custom needs table_name'),
    table_name: z
      .string()
      .max(200)
      .optional()
      .describe('For custom: a logical name such as chats, messages or providers'),
    limit: limit(50, 1000),
  }),
  output: z.looseObject({
    query_type: z.enum(QUERY_TYPES),
    ...found,
    tables: z.array(z.object({ name: z.string(), row_count: z.int(), asked_for_as: z.array(z.string()) })).optional(),
    conversations: z.array(row).optional(),
    personas: z.array(row).optional(),
    prompts: z.array(row).optional(),
    tools: z.array(row).optional(),
    rows: z.array(row).optional(),
  }),
  annotations: looks,
  errors: [...codes.required, ...codes.database, 'INVALID_TABLE'],
  async run({ query_type, table_name, limit }, { service }) {
    const { stats, tables, rows, databaseSizeMb, ...facts } = await service.database.query(
      query_type,
      table_name,
      limit,
    );
    return {
      ...toWire(facts),
      ...(stats && { ...toWire(stats), database_size_mb: databaseSizeMb }),
      ...(tables && { tables: tables.map(toWire) }),
      ...(rows && { [query_type === 'custom' ? 'rows' : query_type]: rows }),
    };
  },
});
