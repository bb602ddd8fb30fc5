import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, ENTITIES, found, looks, row, toWire } from '../schemas.ts';

export const getStudioEntity = defineTool({
  name: 'get_studio_entity',
  title: 'Show one entity',
  description:
    'Shows one thing that Msty Studio holds, whole, by its kind and id. JSON columns are opened, secrets redacted.',
  input: z.object({
    entity: z.enum(ENTITIES).describe('Kind of the entity'),
    entity_id: z.union([z.string().min(1).max(500), z.int()]).describe('Id as the lists show it'),
  }),
  output: z.object({ entity: z.string(), entity_id: z.string(), item: row, ...found }),
  annotations: looks,
  errors: [...codes.required, ...codes.database],
  run: async ({ entity, entity_id }, { service }) => toWire(await service.inventory.entity(entity, String(entity_id))),
});
