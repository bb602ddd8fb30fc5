import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { collectionName, listedMemory, memoryId, showListed, tagList } from '../schemas.ts';

export const updateMemory = defineTool({
  name: 'update_memory',
  title: 'Rename, move or tag a file',
  description:
    'Changes the name, collection or tags of a memory and returns it. What is left out stays, and so does the content.',
  keywords: 'rename a document, move it to another folder, category or collection, label it',
  input: z.object({
    memory_id: memoryId.describe('Id of the memory'),
    name: z.string().trim().min(1).max(255).optional().describe('New filename with extension'),
    collection: collectionName.optional().describe('Collection to move it to, made if there is none'),
    tags: tagList.optional().describe('All of its tags; an empty list removes them'),
  }),
  output: listedMemory,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_READY', 'COLLECTION_NOT_FOUND'],
  async run({ memory_id, ...change }, { service }) {
    return showListed(await service.update(memory_id, change));
  },
});
