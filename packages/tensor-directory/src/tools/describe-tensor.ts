import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid, tensorMetadata, tensorMetadataOf } from '../schemas.ts';

const figure = z.number().nullable();

export const describeTensor = defineTool({
  name: 'describe_tensor',
  title: 'Figures of a tensor',
  description:
    'Returns count, min, max, sum, mean and population standard deviation of the finite values, counts of NaN, infinite, zero, negative and positive ' +
    'ones, a histogram and a content hash. Use it before reading or plotting a large tensor.',
  keywords:
    'statistics of an array: average, minimum, maximum, largest, smallest, median, variance, distribution; summary of data',
  input: z.object({
    name_or_uuid: nameOrUuid,
    bins: z.int().min(1).max(10_000).default(20).describe('Histogram bins'),
  }),
  output: z.object({
    metadata: tensorMetadata,
    statistics: z.object({
      count: z.int(),
      min: figure,
      max: figure,
      mean: figure,
      std: figure,
      nan_count: z.int(),
      inf_count: z.int(),
      zero_count: z.int(),
      negative_count: z.int(),
      positive_count: z.int(),
      sum: figure,
    }),
    histogram: z.object({ edges: z.array(z.number()), counts: z.array(z.int()) }),
    sha256: z.string().describe('Depends on dtype, shape and values only'),
    size_bytes: z.int().describe('Of the raw values'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, bins }, { service }) {
    const { item, statistics, histogram, sha256, sizeBytes } = await service.describeTensor(name_or_uuid, bins);
    const { nanCount, infCount, zeroCount, negativeCount, positiveCount, ...figures } = statistics;
    const counts = {
      nan_count: nanCount,
      inf_count: infCount,
      zero_count: zeroCount,
      negative_count: negativeCount,
      positive_count: positiveCount,
    };
    return {
      metadata: tensorMetadataOf(item),
      statistics: { ...figures, ...counts },
      histogram,
      sha256,
      size_bytes: sizeBytes,
    };
  },
});
