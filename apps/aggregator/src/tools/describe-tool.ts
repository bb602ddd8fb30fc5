import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

const name = z.string().min(1);

export const describeTool = defineTool({
  name: 'describe_tool',
  title: 'Describe tools',
  description:
    'Returns the full definitions of tools that search_tools found: description, schema of the arguments and, if there is one, of the answer. One name gives one definition, several give {tools}.',
  input: z.object({
    name: z
      .union([name, z.array(name).min(1).max(20)])
      .describe('A name that search_tools gave, or a list of up to 20'),
    as: z
      .enum(['schema', 'typescript'])
      .default('schema')
      .describe('"typescript" gives a declaration for programs of run_tools instead of the schemas'),
  }),
  output: z.looseObject({
    name: z.string().optional().describe('Of the one tool'),
    typescript: z.string().optional(),
    tools: z
      .array(z.looseObject({ name: z.string() }))
      .optional()
      .describe('In the order of the names'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_TOOL'],
  run: ({ name, as }, { service, request }) => service.describe(name, as, request),
});
