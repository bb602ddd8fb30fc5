import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listPersonas = defineTool({
  name: 'list_personas',
  title: 'List personas',
  description: "Lists Msty Studio's personas with prompts and attachments, newest first.",
  keywords: 'characters, assistants, bots, roles and their system prompts',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('personas', limit)),
});
