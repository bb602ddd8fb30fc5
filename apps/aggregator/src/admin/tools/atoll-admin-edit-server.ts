import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, key, revision, serverSettings } from '../schemas.ts';

export const adminEditServer = defineTool({
  name: 'atoll_admin_edit_server',
  title: 'Edit a server',
  description:
    'Changes how a server is started or reached and restarts it. Values that are "[redacted]" stay as they are.',
  input: z.object({ key, settings: serverSettings, revision }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  errors: ['UNKNOWN_SERVER', 'BUILTIN_SERVER', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ key, settings, revision }, { service }) => service.servers.edit(key, settings, revision),
});
