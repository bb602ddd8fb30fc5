import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, ENTITIES, found, looks, row, toWire } from '../schemas.ts';

export const getStudioEntity = defineTool({
  name: 'get_studio_entity',
  title: 'Show one entity',
  description: 'Shows one thing that Msty Studio holds in full, by kind and id.',
  keywords: 'one persona, prompt, folder, toolset, chat or other item; details, open',
  input: z.object({
    entity: z.enum(ENTITIES).describe('Its kind'),
    entity_id: z.union([z.string().min(1).max(500), z.int()]).describe('Id as in the lists'),
  }),
  output: z.object({ entity: z.string(), entity_id: z.string(), item: row, ...found }),
  annotations: looks,
  errors: [...codes.required, ...codes.database],
  run: async ({ entity, entity_id }, { service }) => toWire(await service.inventory.entity(entity, String(entity_id))),
});
