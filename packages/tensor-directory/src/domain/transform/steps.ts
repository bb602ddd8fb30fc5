import { DTYPES } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';

export const REDUCTIONS = [
  'sum',
  'mean',
  'min',
  'max',
  'prod',
  'std',
  'var',
  'argmin',
  'argmax',
  'any',
  'all',
] as const;
export type Reduction = (typeof REDUCTIONS)[number];

const other = z.string().min(1).describe('Another tensor');
const axis = z.int().min(-32).max(31);
const others = z.array(other).min(1).max(100);

/** Everything that transform_tensor can do, one object per step. */
export const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('slice'), slice: z.string().describe('NumPy slice') }),
  z.strictObject({
    do: z.literal('reshape'),
    shape: z.array(z.int().min(-1)).max(32).describe('One size may be -1: what is left'),
  }),
  z.strictObject({
    do: z.literal('transpose'),
    axes: z.array(axis).max(32).optional().describe('New order of the axes; default reversed'),
  }),
  z.strictObject({ do: z.literal('cast'), dtype: z.enum(DTYPES).describe('Refused if a value does not fit') }),
  z.strictObject({
    do: z.literal('normalise'),
    method: z.enum(['zscore', 'minmax', 'l2']).default('zscore'),
    axis: axis.optional().describe('Default over all values'),
  }),
  z.strictObject({ do: z.literal('concatenate'), with: others, axis: axis.default(0) }),
  z.strictObject({ do: z.literal('stack'), with: others, axis: axis.default(0) }),
  z.strictObject({
    do: z.literal('reduce'),
    function: z.enum(REDUCTIONS),
    axis: axis.optional().describe('Default over all values'),
    keepdims: z.boolean().default(false),
  }),
  z.strictObject({ do: z.literal('matmul'), with: other }),
  z.strictObject({
    do: z.literal('expression'),
    expression: z.string().min(1).max(2_000).describe('Such as "(a - mean(a)) / std(a)"; a is the tensor so far'),
    with: z
      .record(z.string().regex(/^[a-zA-Z_]\w{0,40}$/), other)
      .optional()
      .describe('Other tensors by their names in it'),
  }),
]);
export type Step = z.output<typeof step>;

/** Names of the tensors that a step takes besides the one so far, by the key that it finds them by. */
export function othersOf(each: Step): Readonly<Record<string, string>> {
  if (each.do === 'expression') return each.with ?? {};
  if (each.do === 'matmul') return { with: each.with };
  if (each.do === 'concatenate' || each.do === 'stack')
    return Object.fromEntries(each.with.map((name, i) => [`with[${i}]`, name]));
  return {};
}
