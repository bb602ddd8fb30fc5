import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listCrews = defineTool({
  name: 'list_crews',
  title: 'List crews',
  description: "Lists Msty Studio's crews (groups of personas that answer together), newest first.",
  keywords: 'teams of assistants, group chat in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('crews', limit)),
});
