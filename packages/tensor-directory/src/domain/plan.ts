import { z } from 'zod';
import { filter, ORDERS } from './filter.ts';

export const name = z.string().min(1).describe('Exactly as it was written');

/** A tensor by name, or what an earlier step found or made. */
export const tensorRef = z.union([
  z.strictObject({
    name,
    slice: z.string().optional().describe('NumPy slice'),
    fromZero: z.boolean().optional().describe('Whether the answer has to say that the slice counts from 0'),
    first: z.int().min(1).optional().describe('Only the first values of a tensor with one axis'),
    last: z.int().min(1).optional().describe('Only the last values of a tensor with one axis'),
    nth: z.int().min(1).optional().describe('Only the value at this place of a tensor with one axis, counted from 1'),
    row: z
      .int()
      .optional()
      .describe('Only this row of a tensor with two axes, counted from 0, or from the end if below 0'),
    column: z.int().optional().describe('Only this column of a tensor with two axes, counted like rows'),
  }),
  z.strictObject({
    step: z.int().min(1).describe('Number of an earlier step, counted from 1'),
    one: z.boolean().optional().describe('Whether exactly one tensor is meant'),
    slice: z.string().optional(),
  }),
]);
export type TensorRef = z.output<typeof tensorRef>;

/** Every tensor that fits. */
export const allTensors = z.strictObject({
  all: z
    .strictObject({ filter, order: z.enum(ORDERS).optional(), limit: z.int().min(1).optional() })
    .describe('Each tensor that fits'),
});

export const runInput = z.union([
  z.strictObject({
    tensor: tensorRef,
    key: name.optional().describe('The key that predict reads it by'),
    isKey: z.boolean().optional().describe('Whether it cannot be a name for the output'),
  }),
  allTensors,
]);
export type RunInput = z.output<typeof runInput>;
