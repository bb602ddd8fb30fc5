import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listPersonas = defineTool({
  name: 'list_personas',
  title: 'List personas',
  description:
    'Lists the personas with their prompts and attachments in Msty Studio, the latest first. JSON columns are opened, secrets redacted.',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('personas', limit)),
});
