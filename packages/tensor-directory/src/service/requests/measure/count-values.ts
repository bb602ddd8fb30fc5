import { z } from 'zod';
import { type Range, range } from '../../../domain/filter.ts';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { bounds, size } from '../../../domain/prompt/tensor-traits.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('count_values').describe('How many values of a tensor are above, below or between numbers'),
  tensor: tensorRef,
  range,
});
type CountValues = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS'));
const clause: Parser<readonly CountValues[]> = alt(
  // "how many of X are 7", "how many values of X are 7"
  map(
    seq(asked, word('HOW_MANY'), many(word('ELEMENTS')), word('OF'), tensorRefs, many(word('IS', 'REL'), 1), size),
    ([, , , , tensor, , found]) => stepOf(tensor, found),
  ),
  // "is any value of X over 10", "are all values of X over 10": how many of how many tells
  map(
    seq(
      many(word('IS', 'SHOW'), 1),
      word('ALL'),
      opt(word('OF')),
      word('ELEMENTS', 'VALUES'),
      word('OF'),
      tensorRefs,
      bounds,
    ),
    ([, , , , , tensor, found]) => stepOf(tensor, found),
  ),
  // "how many values in X are above 20"
  map(
    seq(
      asked,
      word('HOW_MANY'),
      word('ELEMENTS'),
      word('OF'),
      tensorRefs,
      many(word('IS', 'REL')),
      bounds,
      many(word('IS')),
    ),
    ([, , , , tensor, , found]) => stepOf(tensor, found),
  ),
  // "how many values above 20 does X have", "how many values above 20 are there in X"
  map(
    seq(
      asked,
      word('HOW_MANY'),
      word('ELEMENTS'),
      bounds,
      many(word('DOES', 'HAVE', 'IS', 'EXIST', 'OF')),
      tensorRefs,
      opt(word('HAVE')),
    ),
    ([, , , found, , tensor]) => stepOf(tensor, found),
  ),
  // "X 中有多少个值大于 20", "X 中大于 20 的值有多少个"
  map(
    seq(tensorRefs, many(word('OF', 'HAVE', 'EXIST')), word('HOW_MANY'), word('ELEMENTS'), bounds),
    ([tensor, , , , found]) => stepOf(tensor, found),
  ),
  map(
    seq(
      tensorRefs,
      many(word('OF', 'HAVE', 'EXIST')),
      bounds,
      word('ELEMENTS'),
      many(word('HAVE', 'EXIST')),
      word('HOW_MANY'),
    ),
    ([tensor, , found]) => stepOf(tensor, found),
  ),
);

function stepOf(tensor: TensorRef, found: Range): CountValues[] {
  return [{ do: 'count_values', tensor, range: found }];
}

export const countValues: RequestKind<CountValues> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, range: wanted }, context) {
    const parts = await context.resolve(tensor);
    const lines: string[] = [];
    for (const part of parts) {
      const { count, total } = await context.countIn(part, wanted);
      lines.push(`${context.titleOf(part)} has ${count} value(s) ${rangeText(wanted)} of ${total}.`);
    }
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item) };
  },
};

function rangeText({ min, max, above, below }: Range): string {
  if (min !== undefined && min === max) return `equal to ${min}`;
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`;
  const texts = [
    above !== undefined && `above ${above}`,
    below !== undefined && `below ${below}`,
    min !== undefined && `of at least ${min}`,
    max !== undefined && `of at most ${max}`,
  ];
  return texts.filter(Boolean).join(' and ');
}
