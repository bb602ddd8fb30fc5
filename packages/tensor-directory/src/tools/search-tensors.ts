import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { barePage } from '../envelope.ts';
import { page, storedDtype, tensorPage, tensorRowOf } from '../schemas.ts';

export const searchTensors = defineTool({
  name: 'search_tensors',
  title: 'Search tensors',
  description: 'Returns a page of the tensors that meet every given criterion; all without criteria.',
  keywords: 'find arrays by shape, dtype, name, tag, date; filter',
  input: z.object({
    text: z.string().optional().describe('Words that all occur in name or description'),
    dtype: storedDtype.optional().describe('Element type, such as float32'),
    shape: z.array(z.int().min(0).nullable()).max(32).optional().describe('Size of every axis; null matches any'),
    ndim: z.int().min(0).max(32).optional().describe('Number of axes'),
    tag: z.string().optional().describe('Tag given at upload'),
    created_after: z.string().optional().describe('ISO 8601 date or time, UTC by default'),
    created_before: z.string().optional().describe('ISO 8601 date or time, UTC by default'),
    ...page,
  }),
  output: tensorPage,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['INVALID_DATE', 'STORAGE_FAILED'],
  envelope: barePage,
  async run({ text, dtype, shape, ndim, tag, created_after, created_before, offset, limit }, { service }) {
    const { items, total } = await service.listTensors(
      {
        ...(text && { text }),
        ...(dtype && { dtypes: [dtype] }),
        ...(shape && { shape }),
        ...(ndim !== undefined && { ndim }),
        ...(tag && { tag }),
        ...(created_after && { createdAfter: created_after }),
        ...(created_before && { createdBefore: created_before }),
      },
      { offset, limit },
    );
    return { tensors: items.map(tensorRowOf), total_items_in_collection: total, offset, limit };
  },
});
