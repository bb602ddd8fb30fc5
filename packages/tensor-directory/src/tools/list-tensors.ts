import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { emptyPage } from '../envelope.ts';
import { page, tensorPage, tensorRowOf } from '../schemas.ts';

export const listTensors = defineTool({
  name: 'list_tensors',
  title: 'List tensors',
  description: 'Returns a page of the stored tensors by name, older versions too, and the total.',
  keywords: 'what arrays, matrices and data are stored; inventory, overview',
  input: z.object({
    filter_by_name_contains: z.string().nullable().default(null).describe('Only names that contain this'),
    case_sensitive: z.boolean().default(true).describe('Match case'),
    ...page,
  }),
  output: tensorPage,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['STORAGE_FAILED'],
  envelope: emptyPage('tensors'),
  async run({ filter_by_name_contains, case_sensitive, offset, limit }, { service }) {
    const { items, total } = await service.listTensors(
      { ...(filter_by_name_contains && { nameContains: filter_by_name_contains }), caseSensitive: case_sensitive },
      { offset, limit },
    );
    return { tensors: items.map(tensorRowOf), total_items_in_collection: total, offset, limit };
  },
});
