import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { figure, nameOrUuid, tensorFacts, tensorFactsOf, unravel } from '../schemas.ts';

export const compareTensors = defineTool({
  name: 'compare_tensors',
  title: 'Compare two tensors',
  description:
    'Compares two tensors value by value: whether they are equal, largest and mean absolute and relative difference, cosine, where they differ most, ' +
    'new NaNs and infinities, and a histogram of the differences as a picture. Any size. Use compare_checkpoints for sets of tensors.',
  keywords: 'are two arrays equal, identical, same; difference between matrices',
  input: z.object({
    a: nameOrUuid,
    b: nameOrUuid,
    tolerance: z.number().min(0).default(0).describe('Absolute differences up to this count as equal; NaN equals NaN'),
  }),
  output: z.object({
    a: tensorFacts,
    b: tensorFacts,
    equal: z.boolean().describe('Whether shapes agree and all values do, within the tolerance'),
    same_shape: z.boolean(),
    same_dtype: z.boolean(),
    figures: z
      .object({
        count: z.int(),
        differing: z.int().describe('Values that are not equal, whatever the tolerance'),
        beyond_tolerance: z.int(),
        max_abs: figure,
        mean_abs: figure,
        max_rel: figure.describe('Relative to the larger of the two magnitudes'),
        mean_rel: figure,
        cosine: figure,
        relative_norm: figure.describe('Length of the difference divided by the length of a'),
        new_nan: z.int().describe('NaN in b where a has a number'),
        new_infinite: z.int(),
        gone_nan: z.int(),
        gone_infinite: z.int(),
        largest: z.array(
          z.object({
            index: z.array(z.int()),
            a: z.union([z.number(), z.string()]),
            b: z.union([z.number(), z.string()]),
            difference: z.union([z.number(), z.string()]),
          }),
        ),
      })
      .nullable()
      .describe('null when the shapes differ'),
    message: z.string(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ a, b, tolerance }, { service, signal, attach }) {
    const {
      a: left,
      b: right,
      isEqual,
      figures,
      png,
      sentence,
    } = await service.compareTensors(a, b, tolerance, signal);
    if (png) attach({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
    return {
      a: tensorFactsOf(left),
      b: tensorFactsOf(right),
      equal: isEqual,
      same_shape: figures !== undefined,
      same_dtype: left.values.dtype === right.values.dtype,
      figures: figures
        ? {
            count: figures.count,
            differing: figures.differing,
            beyond_tolerance: figures.beyond,
            max_abs: figures.maxAbs,
            mean_abs: figures.meanAbs,
            max_rel: figures.maxRel,
            mean_rel: figures.meanRel,
            cosine: figures.cosine,
            relative_norm: figures.relativeNorm,
            new_nan: figures.newNan,
            new_infinite: figures.newInf,
            gone_nan: figures.goneNan,
            gone_infinite: figures.goneInf,
            largest: figures.largest.map((spot) => unravel(spot, left.values.shape)),
          }
        : null,
      message: sentence,
    };
  },
});
