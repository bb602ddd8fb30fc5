import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listToolsets = defineTool({
  name: 'list_toolsets',
  title: 'List toolsets',
  description: "Lists Msty Studio's toolsets, newest first.",
  keywords: 'groups of MCP tools in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('toolsets', limit)),
});
