import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { advice, codes, found, looks, toWire } from '../schemas.ts';

export const optimiseKnowledgeStacks = defineTool({
  name: 'optimise_knowledge_stacks',
  title: 'Advise on knowledge stacks',
  description:
    "Suggests what to mend in Msty Studio's knowledge stacks: drafts, failed composes, stacks without sources. Changes nothing.",
  keywords: 'RAG collections, documents, knowledge base: problems, tips, clean up',
  input: z.object({}),
  output: z.object({
    total_stacks: z.int(),
    suggestions: z.array(advice),
    stacks: z.array(z.object({ id: z.unknown(), title: z.unknown(), status: z.unknown(), updated_at: z.unknown() })),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  async run(_, { service }) {
    const found = await service.intelligence.knowledgeStacks();
    return { ...toWire(found), stacks: found.stacks.map(toWire) };
  },
});
