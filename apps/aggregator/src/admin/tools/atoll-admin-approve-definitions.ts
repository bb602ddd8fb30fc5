import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { key, serverDefinitions } from '../schemas.ts';

export const adminApproveDefinitions = defineTool({
  name: 'atoll_admin_approve_definitions',
  title: 'Approve tool definitions',
  description: 'Pins the tools of a server as they are now, so that those held back are listed.',
  input: z.object({
    key,
    fingerprint: z.string().describe('The one that atoll_admin_definitions gave; what changed since is not approved'),
  }),
  output: serverDefinitions,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_SERVER', 'NOT_COMPARABLE', 'DEFINITIONS_CHANGED'],
  run: ({ key, fingerprint }, { service }) => service.definitions.approve(key, fingerprint),
});
