import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { serverSettings } from '../schemas.ts';

export const adminImportable = defineTool({
  name: 'atoll_admin_importable',
  title: 'Servers of clients',
  description:
    'Lists the servers in the configurations of MCP clients on this machine, and whether each can be taken over.',
  input: z.object({}),
  output: z.object({
    servers: z.array(
      z.object({
        name: z.string(),
        file: z.string().describe('The configuration that it is in'),
        settings: serverSettings.optional().describe('What would be added, secrets redacted; absent if left out'),
        left_out: z.string().optional().describe('Why it cannot be taken over'),
        secrets: z.array(z.string()).describe('Secrets that "atoll secret set" has to be given'),
      }),
    ),
    unreadable: z.array(z.string()).describe('Clients whose configuration is not JSON'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.imports.list(),
});
