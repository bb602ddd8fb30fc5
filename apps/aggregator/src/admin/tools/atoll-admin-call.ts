import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { callSummary } from '../schemas.ts';

export const adminCall = defineTool({
  name: 'atoll_admin_call',
  title: 'One call',
  description: 'Shows one of the latest calls with its arguments and its answer; secrets are redacted.',
  input: z.object({ id: z.int().min(1).describe('The id that atoll_admin_activity gave') }),
  output: callSummary.extend({
    clipped: z.boolean().describe('Whether only the beginning of something long was kept'),
    arguments: z.unknown().optional(),
    answer: z.unknown().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['CALL_GONE'],
  run: ({ id }, { service }) => service.findCall(id),
});
