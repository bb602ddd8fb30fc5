import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { collectionName } from '../schemas.ts';

export const updateCollection = defineTool({
  name: 'update_collection',
  title: 'Describe a collection',
  description:
    'Sets the description of a collection, such as "invoices of 2025, in German"; makes it if there is none.',
  keywords: 'folder description, new folder, category, purpose',
  input: z.object({
    name: collectionName.describe('Its name'),
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
