import { z } from 'zod';
import { DTYPES } from './dtypes.ts';

/** Which tensors or models are meant. Every criterion that is given must hold. */
export const criteria = z.object({
  dtypes: z.array(z.enum(DTYPES)).optional().describe('Any of these element types'),
  shape: z.array(z.int().min(0).nullable()).optional().describe('Sizes of all axes; null stands for any size'),
  ndim: z.int().min(0).max(32).optional().describe('Number of axes'),
  nameContains: z.string().min(1).optional().describe('A part of the name'),
  text: z.string().min(1).optional().describe('Words that all occur in name or description'),
  tag: z.string().min(1).optional().describe('A tag'),
  createdAfter: z.string().optional().describe('A date, such as 2024-01-31'),
  createdBefore: z.string().optional().describe('A date, such as 2024-01-31'),
});
export type Criteria = z.output<typeof criteria>;

const name = z.string().min(1);
/** A guess holds only if there is something of that name: "the shape of water" is no question about a tensor otherwise. */
const guess = z.boolean().optional();
/** Neither "tensor" nor "model" was said: a model of that name is an answer too. */
const anyKind = z.boolean().optional();

/** All that can be asked of the directory in plain words. */
export const intent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('get_tensor'), name, guess, anyKind }),
  z.object({ kind: z.literal('get_model'), name, guess }),
  z.object({ kind: z.literal('find_tensors'), criteria }),
  z.object({ kind: z.literal('find_models'), criteria }),
  z.object({ kind: z.literal('count'), what: z.enum(['tensors', 'models']), criteria }),
  z.object({
    kind: z.literal('run_model'),
    model: name,
    inputs: z.array(z.object({ tensor: name, role: name.optional() })),
    outputName: name.optional(),
    guess,
  }),
  z.object({ kind: z.literal('unclear') }),
]);
export type Intent = z.output<typeof intent>;
