import { unchecked } from '@atoll-mcp/core';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid, shape, slice, tensorMetadata, tensorMetadataOf } from '../schemas.ts';

export const getTensor = defineTool({
  name: 'get_tensor',
  title: 'Read values of a tensor',
  description:
    'Returns the values of a tensor or a slice of it as nested lists. Only what is returned is read, so a slice of a huge tensor is cheap. Beyond ' +
    'max_values only the first values are returned, and "truncated" says so.',
  keywords: 'show numbers of an array or matrix; rows, columns, elements, first entries; print',
  input: z.object({
    name_or_uuid: nameOrUuid,
    slice,
    max_values: z.int().min(1).max(1_000_000).default(10_000).describe('Maximum values to return'),
  }),
  output: z.object({
    metadata: tensorMetadata,
    dtype: z.string(),
    shape: shape.describe('Of what is returned'),
    values: unchecked({}, 'Nested lists, or one value; NaN, infinities and integers beyond 2^53 are text'),
    truncated: z.boolean(),
    note: z.string().optional().describe('Why some values are text'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'INVALID_SLICE', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, slice, max_values }, { service }) {
    const { item, ...part } = await service.getTensor(name_or_uuid, slice, max_values);
    return { metadata: tensorMetadataOf(item), ...part };
  },
});
