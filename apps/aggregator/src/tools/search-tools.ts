import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Finds tools by what they do. Give a few words for the task; returns the names and descriptions of the best matches. Then read one with describe_tool and run it with call_tool.',
  input: z.object({
    query: z.string().min(1).describe('What you want to do, in a few words'),
    limit: z.int().min(1).max(50).default(8).describe('How many tools to return at most'),
  }),
  output: z.object({
    tools: z.array(
      z.object({ name: z.string(), title: z.string().optional(), description: z.string(), server: z.string() }),
    ),
    total: z.int().describe('How many tools there are in all'),
    ranked_by: z
      .enum(['words', 'words and meaning'])
      .describe('"words" while meaning cannot be compared yet; search again for better matches'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: ({ query, limit }, { service }) => service.search(query, limit),
});
