import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid } from '../schemas.ts';

export const searchSimilar = defineTool({
  name: 'search_similar',
  title: 'Search for similar rows',
  description:
    'Returns the rows of a tensor of vectors, such as embeddings, most similar to one of its rows, by cosine, with Euclidean distance. Everything ' +
    'behind the first axis is one row.',
  keywords: 'nearest neighbours, closest vectors, related rows; k-NN',
  input: z.object({
    name_or_uuid: nameOrUuid,
    row: z.int().describe('Row to compare with, from 0; negative from the end'),
    limit: z.int().min(1).max(1000).default(10).describe('Maximum number to return'),
  }),
  output: z.object({
    uuid: z.string(),
    name: z.string(),
    row: z.int(),
    compared: z.int().describe('How many other rows there are'),
    left_out: z.int().describe('Rows that are all zeros or not finite, which have no cosine'),
    rows: z
      .array(z.object({ row: z.int(), cosine: z.number(), distance: z.number() }))
      .describe('The most similar first'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'NOT_SEARCHABLE', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, row, limit }, { service, signal }) {
    const { item, leftOut, ...found } = await service.searchSimilar(name_or_uuid, { row, limit, signal });
    return { uuid: item.uuid, name: item.name, left_out: leftOut, ...found, rows: [...found.rows] };
  },
});
