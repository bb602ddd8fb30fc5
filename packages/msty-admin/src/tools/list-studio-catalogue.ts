import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, looks, toWire } from '../schemas.ts';

export const listStudioCatalogue = defineTool({
  name: 'list_studio_catalogue',
  title: 'List the Studio catalogue',
  description:
    'Counts everything that Msty Studio holds by kind, with its table; null where this version has none. Use it to see what get_studio_entity and the lists can show.',
  keywords: 'everything in Msty, kinds of things, inventory, counts',
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
