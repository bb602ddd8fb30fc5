import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listPrompts = defineTool({
  name: 'list_prompts',
  title: 'List prompts',
  description: "Lists Msty Studio's prompt library, newest first.",
  keywords: 'saved prompts, snippets in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('prompts', limit)),
});
