import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid, shape, transformSteps } from '../schemas.ts';

export const transformTensor = defineTool({
  name: 'transform_tensor',
  title: 'Transform a tensor',
  description:
    'Computes a new tensor from a stored one by steps in order (slice, reshape, transpose, cast, normalise, concatenate, stack, reduce, matmul, ' +
    'expressions), stores it with its lineage, and returns its uuid and name. As NumPy, but integers that do not fit are refused, never wrapped around.',
  keywords:
    'arithmetic on arrays: add, multiply, scale, sum rows, swap axes, crop, convert type, join; compute, calculate, maths',
  input: z.object({
    name_or_uuid: nameOrUuid,
    steps: transformSteps.describe('Such as {"do": "slice", "slice": "0:10"}; text alone is an elementwise expression'),
    output_name: z.string().min(1).optional().describe('Name of the result; made unique if taken'),
  }),
  output: z.object({
    uuid: z.string(),
    name: z.string(),
    shape,
    dtype: z.string(),
    duration_ms: z.number(),
    message: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['NOT_FOUND', 'TRANSFORM_REFUSED', 'BLANK_NAME', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, steps, output_name }, { service, signal }) {
    const call = { given: name_or_uuid, steps, outputName: output_name, signal };
    const { durationMs, ...result } = await service.transformTensor(call);
    return { ...result, duration_ms: durationMs };
  },
});
