import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

const confidence = z.enum(['high', 'medium', 'low']);

export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Finds tools by what they do, in any words or language. A request of several steps gets tools for each step. Then read them with describe_tool, and call them with run_tools or call_tool, whichever is listed.',
  input: z.object({
    query: z.string().min(1).describe('What you want to do: a few words, or all steps of a task'),
    limit: z.int().min(1).max(50).default(8).describe('How many tools to return at most'),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string().optional(),
        description: z.string(),
        server: z.string(),
        confidence,
        alternatives: z.array(z.string()).optional().describe('The same tool of other servers'),
      }),
    ),
    confidence: confidence.describe('Of the first tool; on "low", search again in other words'),
    total: z.int().describe('How many tools there are in all'),
    ranked_by: z
      .enum(['words', 'words and meaning'])
      .describe('"words" while meaning cannot be compared yet; search again for better matches'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: ({ query, limit }, { service, client }) => service.search(query, limit, client.id),
});
