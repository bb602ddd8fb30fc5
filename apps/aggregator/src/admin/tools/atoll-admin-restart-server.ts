import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { key } from '../schemas.ts';

export const adminRestartServer = defineTool({
  name: 'atoll_admin_restart_server',
  title: 'Restart a server',
  description: 'Stops a server, which fails its calls under way, and starts it again.',
  input: z.object({ key }),
  output: z.object({ key: z.string(), state: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  errors: ['UNKNOWN_SERVER', 'SERVER_OFF', 'RESTART_FAILED'],
  run: ({ key }, { service }) => service.servers.restart(key),
});
