import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryIds } from '../schemas.ts';

export const deleteMemory = defineTool({
  name: 'delete_memory',
  title: 'Delete files',
  description: 'Removes memories for good: text, vectors and stored bytes. Original files outside the lake stay.',
  keywords: 'remove, erase or discard a document from the library',
  input: z.object({ memory_ids: memoryIds.describe('Ids of the memories') }),
  output: z.object({ deleted: z.array(z.string()), not_found: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [],
  async run({ memory_ids }, { service }) {
    const { deleted, notFound } = await service.remove(memory_ids);
    return { deleted, not_found: notFound };
  },
});
