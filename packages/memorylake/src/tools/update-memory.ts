import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { collectionName, listedMemory, memoryId, showListed, tagList } from '../schemas.ts';

export const updateMemory = defineTool({
  name: 'update_memory',
  title: 'Rename, move or tag a file',
  description:
    'Changes the name, the collection or the tags of a memory and returns it as it then is. Its content stays; what is left out stays as it was.',
  input: z.object({
    memory_id: memoryId.describe('Id of the memory'),
    name: z.string().trim().min(1).max(255).optional().describe('New filename, with its extension'),
    collection: collectionName.optional().describe('Collection to move it to, made if there is none'),
    tags: tagList.optional().describe('All of its tags from now on; an empty list removes them'),
  }),
  output: listedMemory,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_READY', 'COLLECTION_NOT_FOUND'],
  async run({ memory_id, ...change }, { service }) {
    return showListed(await service.update(memory_id, change));
  },
});
