import { z } from 'zod';
import { isIn, type Range, range } from '../../../domain/filter.ts';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { bounds, countedNoun } from '../../../domain/prompt/tensor-traits.ts';
import type { RequestKind } from '../kind.ts';
import { rangeText } from './count-values.ts';
import { indexText } from './position.ts';

/** More values than this are for get_tensor. */
const MAX_READ = 100_000;
const MAX_LISTED = 50;
const step = z.strictObject({
  do: z
    .literal('matching_values')
    .describe('The values of a tensor above, below or between numbers, and where they are'),
  tensor: tensorRef,
  range,
});
type MatchingValues = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS'));
const noun = alt(
  word('ELEMENTS', 'VALUES'),
  map(countedNoun, () => true),
);
const clause: Parser<readonly MatchingValues[]> = alt(
  // "values of X over 180", "which values in X are over 180"
  map(seq(asked, noun, word('OF'), tensorRefs, many(word('IS', 'REL')), bounds), ([, , , tensor, , found]) =>
    stepOf(tensor, found),
  ),
  // "X values over 180"
  map(seq(asked, tensorRefs, noun, many(word('IS', 'REL')), bounds), ([, tensor, , , found]) => stepOf(tensor, found)),
  // "all values over 180 in X"
  map(
    seq(asked, opt(word('ALL')), noun, many(word('IS', 'REL')), bounds, word('OF'), tensorRefs),
    ([, , , , found, , tensor]) => stepOf(tensor, found),
  ),
  // "customer ids above 1020"
  map(seq(asked, tensorRefs, bounds), ([, tensor, found]) => stepOf(tensor, found), 1),
);

function stepOf(tensor: TensorRef, found: Range): MatchingValues[] {
  return [{ do: 'matching_values', tensor, range: found }];
}

export const matchingValues: RequestKind<MatchingValues> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, range: wanted }, context) {
    const parts = await context.resolve(tensor);
    const lines: string[] = [];
    for (const part of parts) {
      const title = context.titleOf(part);
      const { count, total } = await context.countIn(part, wanted);
      const shape = context.shapeOf(part);
      const { values, truncated } = await context.values(part, MAX_READ);
      const flat = [values].flat(32) as unknown[];
      const found = flat.flatMap((value, at) =>
        typeof value === 'number' && isIn(value, wanted) ? [{ value, at }] : [],
      );
      const isWhole = !truncated && found.length === count && count <= MAX_LISTED;
      const list = found.map(({ value, at }) => `${value} at ${indexText(at, shape)}`).join(', ');
      const what = `${title} has ${count} value(s) ${rangeText(wanted)} of ${total}`;
      lines.push(isWhole && count > 0 ? `${what}: ${list} (counted from 0).` : `${what}.`);
    }
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item) };
  },
};
