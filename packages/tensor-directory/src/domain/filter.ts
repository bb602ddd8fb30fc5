import { STORED_DTYPES } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';

/** Bounds of a number. Every bound that is given must hold. */
export const range = z.object({
  min: z.number().optional().describe('At least this'),
  max: z.number().optional().describe('At most this'),
  above: z.number().optional().describe('More than this'),
  below: z.number().optional().describe('Less than this'),
});
export type Range = z.output<typeof range>;

/** What can be asked about the values of a tensor. */
export const FIGURES = [
  'min',
  'max',
  'mean',
  'median',
  'std',
  'sum',
  'negatives',
  'positives',
  'zeros',
  'nans',
  'infinities',
  'trues',
  'falses',
  'nonzeros',
] as const;
export type Figure = (typeof FIGURES)[number];
export const figure = z
  .enum(FIGURES)
  .describe(
    'std is the population standard deviation; the last eight are counts; trues and falses of bool tensors only',
  );

export const ORDERS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export type Order = (typeof ORDERS)[number];

const criteria = z.object({
  dtypes: z.array(z.enum(STORED_DTYPES)).optional().describe('Any of these element types'),
  shape: z.array(z.int().min(0).nullable()).max(32).optional().describe('Sizes of all axes; null stands for any size'),
  isSquare: z.boolean().optional().describe('Two axes of the same size'),
  ndim: range.optional().describe('Number of axes'),
  elements: range.optional().describe('Number of values'),
  bytes: range.optional().describe('Size of the values in bytes'),
  nameContains: z.string().min(1).optional().describe('A part of the name'),
  nameStarts: z.string().min(1).optional().describe('Beginning of the name'),
  nameEnds: z.string().min(1).optional().describe('End of the name'),
  text: z.string().min(1).optional().describe('Words that all occur in name, description or tags'),
  words: z.array(z.string().min(1)).min(1).optional().describe('As text, but for the endings of words'),
  tag: z.string().min(1).optional().describe('A tag'),
  anyTag: z.array(z.string().min(1)).min(1).optional().describe('Any of these tags'),
  allTags: z.array(z.string().min(1)).min(1).optional().describe('All of these tags'),
  isTagged: z.boolean().optional().describe('Whether it has any tags'),
  createdAfter: z.string().optional().describe('A date, such as 2024-01-31'),
  createdBefore: z.string().optional().describe('A date, such as 2024-01-31'),
  madeFrom: z.string().min(1).optional().describe('Name of a tensor that it was made from by a model'),
  madeBy: z.string().min(1).optional().describe('Name of the model that made it'),
  figures: z
    .array(
      z.object({
        figure,
        range,
        every: z.boolean().optional().describe('Of the counts: whether all values are of this kind'),
      }),
    )
    .optional()
    .describe('Figures of the values'),
  except: z.array(z.string().min(1)).min(1).optional().describe('Names that are left out'),
  hasCode: z.boolean().optional().describe('Models only'),
  hasWeights: z.boolean().optional().describe('Models only'),
  codeContains: z.string().min(1).optional().describe('Models only: a part of the code'),
  language: z.enum(['python', 'javascript']).optional().describe('Models only: language of the code'),
});
/** Which tensors or models are meant. Every criterion that is given must hold. */
export const filter = criteria.extend({
  unless: z.array(criteria).min(1).optional().describe('What meets any of these is left out'),
  anyOf: z.array(criteria).min(1).optional().describe('At least one of these must be met'),
});
export type Filter = z.output<typeof filter>;

/** What only tensors, or only models, have. */
export const MODEL_FIELDS: ReadonlySet<string> = new Set(['hasCode', 'hasWeights', 'language', 'codeContains']);
export const COMMON_FIELDS: ReadonlySet<string> = new Set([
  'nameContains',
  'nameStarts',
  'nameEnds',
  'text',
  'words',
  'anyOf',
  'createdAfter',
  'createdBefore',
  'except',
  'unless',
]);

export function isIn(value: number, { min, max, above, below }: Range): boolean {
  return (
    (min === undefined || value >= min) &&
    (max === undefined || value <= max) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below)
  );
}
