import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

export const describeTool = defineTool({
  name: 'describe_tool',
  title: 'Describe a tool',
  description:
    'Returns the full definition of a tool that search_tools found: its description, the schema of its arguments and, if it has one, of its answer.',
  input: z.object({ name: z.string().min(1).describe('The name that search_tools gave') }),
  output: z.looseObject({ name: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_TOOL'],
  run: ({ name }, { service }) => service.describe(name),
});
