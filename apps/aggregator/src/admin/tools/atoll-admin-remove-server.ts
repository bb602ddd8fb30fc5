import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, key, revision } from '../schemas.ts';

export const adminRemoveServer = defineTool({
  name: 'atoll_admin_remove_server',
  title: 'Remove a server',
  description: 'Stops a server and removes it from the configuration.',
  input: z.object({ key, revision }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_SERVER', 'BUILTIN_SERVER', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ key, revision }, { service }) => service.servers.remove(key, revision),
});
