import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, looks, toWire } from '../schemas.ts';

export const listConfiguredTools = defineTool({
  name: 'list_configured_tools',
  title: 'List configured tools',
  description: 'Lists the MCP tools configured in Msty Studio and their settings, without secrets.',
  keywords: 'MCP servers, plugins and extensions in Msty',
  input: z.object({}),
  output: z.object({ tools: z.array(z.looseObject({ name: z.string() })), tool_count: z.int(), ...found }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async (_, { service }) => toWire(await service.database.configuredTools()),
});
