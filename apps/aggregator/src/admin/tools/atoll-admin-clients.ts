import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const adminClients = defineTool({
  name: 'atoll_admin_clients',
  title: 'Clients on this machine',
  description:
    'Lists the MCP clients whose configuration Atoll can write, and whether each is there and already has Atoll.',
  input: z.object({}),
  output: z.object({
    clients: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        path: z.string(),
        is_installed: z.boolean(),
        has_atoll: z.boolean(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.clients.list(),
});
