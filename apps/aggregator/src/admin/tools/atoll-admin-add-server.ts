import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, newKey, revision, serverSettings } from '../schemas.ts';

export const adminAddServer = defineTool({
  name: 'atoll_admin_add_server',
  title: 'Add a server',
  description: 'Adds a server, by command or by address, to the configuration and starts it.',
  input: z.object({ key: newKey, settings: serverSettings, revision }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  errors: ['SERVER_EXISTS', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ key, settings, revision }, { service }) => service.servers.add(key, settings, revision),
});
