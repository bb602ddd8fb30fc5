import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { changed, revision } from '../schemas.ts';

export const adminImportServers = defineTool({
  name: 'atoll_admin_import_servers',
  title: 'Take over servers of clients',
  description: 'Adds servers from the configurations of MCP clients. The clients keep their own entries.',
  input: z.object({
    names: z.array(z.string().min(1)).min(1).max(200).describe('Names that atoll_admin_importable gave'),
    revision,
  }),
  output: changed,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['NOT_IMPORTABLE', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: ({ names, revision }, { service }) => service.imports.take(names, revision),
});
