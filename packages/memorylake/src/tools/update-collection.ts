import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { collectionName } from '../schemas.ts';

export const updateCollection = defineTool({
  name: 'update_collection',
  title: 'Describe a collection',
  description:
    'Sets the description of a collection, such as "invoices of 2025, in German", and makes the collection if there is none. list_collections and get_memorylake_metadata show it.',
  input: z.object({
    name: collectionName.describe('Name of the collection'),
    description: z.string().trim().max(1_000).describe('What it holds; replaces the former description'),
  }),
  output: z.object({ name: z.string(), description: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['COLLECTION_NOT_FOUND'],
  async run({ name, description }, { service }) {
    await service.describeCollection(name, description);
    return { name, description };
  },
});
