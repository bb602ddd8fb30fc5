import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, key, revision } from '../schemas.ts';

export const adminSwitchTool = defineTool({
  name: 'atoll_admin_switch_tool',
  title: 'List or hide a tool',
  description: 'Lists or hides one tool of a server for every client.',
  input: z.object({
    key,
    tool: z.string().min(1).describe('Its own name at the server'),
    listed: z.boolean().describe('Whether clients shall see it'),
    revision,
  }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_SERVER', 'HIDDEN_BY_PATTERN', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ key, tool, listed, revision }, { service }) => service.servers.switchTool(key, tool, listed, revision),
});
