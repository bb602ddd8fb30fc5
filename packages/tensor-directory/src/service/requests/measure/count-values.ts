import { z } from 'zod';
import { type Range, range } from '../../../domain/filter.ts';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { bounds, countedNoun, size } from '../../../domain/prompt/tensor-traits.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('count_values').describe('How many values of a tensor are above, below or between numbers'),
  tensor: tensorRef,
  range,
});
type CountValues = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS'));
const whole: Parser<number> = token((each) =>
  each.value !== undefined && !each.concepts.has('ORDINAL') ? each.value : undefined,
);
/** "ones", "5s". */
const numeral: Parser<number> = alt(
  token((each) => (/^\d+s$/.test(each.text) ? Number.parseInt(each.text, 10) : undefined)),
  token((each) => {
    const index = ['ones', 'twos', 'threes', 'fours', 'fives'].indexOf(each.text.toLowerCase());
    return index < 0 ? undefined : index + 1;
  }),
  map(seq(whole, opt(word('ELEMENTS', 'VALUES'))), ([value]) => value),
);
const numeralRange: Parser<Range> = map(numeral, (value) => ({ min: value, max: value }));
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
  // "how many ones are there in X", "how many 5s does X have"
  map(
    seq(
      asked,
      word('HOW_MANY'),
      numeral,
      many(word('IS', 'EXIST', 'OF', 'DOES', 'HAVE')),
      tensorRefs,
      many(word('HAVE', 'EXIST')),
    ),
    ([, , value, , tensor]) => stepOf(tensor, { min: value, max: value }),
  ),
  // "did X ever go below 0.7"
  map(
    seq(word('DOES', 'IS', 'HAVE'), tensorRefs, many(word('EVER', 'IS', 'HAVE', 'CONTAINS')), bounds),
    ([, tensor, , found]) => stepOf(tensor, found),
    0.5,
  ),
  // "how many days in X were above 20"
  map(
    seq(
      asked,
      word('HOW_MANY'),
      countedNoun,
      many(word('OF', 'IS', 'DOES', 'HAVE')),
      tensorRefs,
      many(word('IS', 'REL', 'HAVE', 'EVER')),
      bounds,
    ),
    ([, , , , tensor, , found]) => stepOf(tensor, found),
    0.5,
  ),
  map(
    seq(
      asked,
      word('HOW_MANY'),
      countedNoun,
      many(word('IS', 'REL', 'HAVE', 'EVER', 'OF')),
      bounds,
      many(word('OF', 'DOES', 'IS', 'HAVE', 'EXIST'), 1),
      tensorRefs,
      many(word('HAVE')),
    ),
    ([, , , , found, , tensor]) => stepOf(tensor, found),
    0.5,
  ),
  // "X 里有多少个大于 80 的", "X 里有几个 0"
  map(
    seq(tensorRefs, many(word('OF', 'HAVE', 'EXIST')), word('HOW_MANY'), alt(bounds, numeralRange)),
    ([tensor, , , found]) => stepOf(tensor, found),
  ),
  // "how many grades are between 70 and 80"
  map(
    seq(asked, word('HOW_MANY'), tensorRefs, many(word('IS', 'REL', 'EXIST'), 1), bounds),
    ([, , tensor, , found]) => stepOf(tensor, found),
    0.5,
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

export function rangeText({ min, max, above, below }: Range): string {
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
