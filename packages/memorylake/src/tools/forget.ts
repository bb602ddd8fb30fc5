import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryIds } from '../schemas.ts';

export const forget = defineTool({
  name: 'forget',
  title: 'Forget notes',
  description:
    'Removes notes for good and returns which were there. Use supersede when something else holds now. Files are removed by delete_memory.',
  keywords: 'remove or erase what was remembered; drop a fact',
  input: z.object({ note_ids: memoryIds.describe('Ids of the notes') }),
  output: z.object({ forgotten: z.array(z.string()), not_found: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [],
  async run({ note_ids }, { service }) {
    const { forgotten, notFound } = await service.notes.forget(note_ids);
    return { forgotten, not_found: notFound };
  },
});
