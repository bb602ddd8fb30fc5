import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, key, revision } from '../schemas.ts';

export const adminHoldBack = defineTool({
  name: 'atoll_admin_hold_back',
  title: 'Hold back changed tools',
  description: 'Sets whether new and changed tools of a server are listed only after they were approved.',
  input: z.object({ key, on: z.boolean().describe('Whether they wait for an approval'), revision }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_SERVER', 'BUILTIN_SERVER', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ key, on, revision }, { service }) => service.servers.holdBack(key, on, revision),
});
