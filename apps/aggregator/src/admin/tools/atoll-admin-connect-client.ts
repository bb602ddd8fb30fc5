import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const adminConnectClient = defineTool({
  name: 'atoll_admin_connect_client',
  title: 'Connect a client',
  description: "Writes Atoll into a client's configuration and keeps a copy of the file as it was.",
  input: z.object({ name: z.string().describe('The name that atoll_admin_clients gave') }),
  output: z.object({ title: z.string(), path: z.string(), backup: z.string().optional(), changed: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_CLIENT', 'CLIENT_NOT_WRITTEN'],
  run: ({ name }, { service }) => service.clients.connect(name),
});
