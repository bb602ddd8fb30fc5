import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { serverDefinitions } from '../schemas.ts';

export const adminDefinitions = defineTool({
  name: 'atoll_admin_definitions',
  title: 'Changes of tool definitions',
  description:
    'Compares the tools of every server that is not built in with those it had when first used, and warns of attacks.',
  input: z.object({}),
  output: z.object({ servers: z.array(serverDefinitions) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.definitions.list(),
});
