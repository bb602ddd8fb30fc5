import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, key, revision } from '../schemas.ts';

export const adminSwitchServer = defineTool({
  name: 'atoll_admin_switch_server',
  title: 'Switch a server on or off',
  description: 'Starts or stops a server and keeps its settings in the configuration.',
  input: z.object({ key, on: z.boolean().describe('Whether it shall run'), revision }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_SERVER', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ key, on, revision }, { service }) => service.servers.switch(key, on, revision),
});
