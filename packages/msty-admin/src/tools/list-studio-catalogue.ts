import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, looks, toWire } from '../schemas.ts';

export const listStudioCatalogue = defineTool({
  name: 'list_studio_catalogue',
  title: 'List the Studio catalogue',
  description:
    'Counts everything that Msty Studio holds, kind by kind, with the table it is in. A kind without a table in this version has null. Use it first to see what get_studio_entity and the lists can show.',
  input: z.object({}),
  output: z.object({
    entities: z.array(
      z.object({
        entity: z.string().describe('Kind, as get_studio_entity takes it'),
        table: z.string().nullable(),
        count: z.int().nullable(),
      }),
    ),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.input, 'DATABASE_CONNECTION_ERROR', 'DATABASE_NOT_FOUND'],
  run: async (_, { service }) => toWire(await service.inventory.catalogue()),
});
