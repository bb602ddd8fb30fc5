import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryId, similarOutput } from '../schemas.ts';

export const similarMemories = defineTool({
  name: 'similar_memories',
  title: 'Find near duplicates',
  description:
    'Lists files whose text is nearly that of a memory, nearest first: drafts, changed copies, exports of the same thing.',
  keywords: 'same document twice, duplicates, copies, nearly identical files',
  input: z.object({
    memory_id: memoryId.describe('Id of the memory'),
    min_similarity: z.number().min(0.01).max(1).optional().describe('Least share of common text; default 0.3'),
  }),
  output: z.object({ id: z.string(), similar: z.array(similarOutput) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_READY'],
  async run({ memory_id, min_similarity: minSimilarity }, { service }) {
    const found = await service.similarTo(memory_id, minSimilarity);
    const similar = found.map(({ memory, similarity }) => ({ id: memory.id, name: memory.name, similarity }));
    return { id: memory_id, similar };
  },
});
