import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const listCollections = defineTool({
  name: 'list_collections',
  title: 'List collections',
  description:
    'Lists the collections with their descriptions and file counts. Every file is in one. Use it to choose where to search or put a file.',
  keywords: 'folders, groups, categories, libraries of documents',
  input: z.object({}),
  output: z.object({
    collections: z.array(
      z.object({
        name: z.string(),
        description: z.string().describe('What it holds; empty if it has no description'),
        num_memories: z.int(),
      }),
    ),
    n: z.int(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  async run(_, { service }) {
    const collections = await service.collections();
    return {
      collections: collections.map(({ name, description, memories }) => ({
        name,
        description,
        num_memories: memories,
      })),
      n: collections.length,
    };
  },
});
