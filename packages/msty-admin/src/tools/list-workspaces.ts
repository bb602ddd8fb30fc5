import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listWorkspaces = defineTool({
  name: 'list_workspaces',
  title: 'List workspaces',
  description: "Lists Msty Studio's workspaces, newest first.",
  keywords: 'projects and areas in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('workspaces', limit)),
});
