import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

export const callTool = defineTool({
  name: 'call_tool',
  title: 'Call a tool',
  description:
    'Runs a tool that search_tools found and returns exactly what that tool returns. Read its arguments with describe_tool first.',
  input: z.object({
    name: z.string().min(1).describe('The name that search_tools gave'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('The arguments, as describe_tool shows them'),
  }),
  output: z.unknown(),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  errors: ['UNKNOWN_TOOL'],
  run: ({ name, arguments: args }, { service, signal }) => service.call(name, args, signal),
});
