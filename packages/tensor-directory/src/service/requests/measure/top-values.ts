import { countOf } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { count } from '../../../domain/prompt/refs.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { extremesOf } from '../../../domain/values/places.ts';
import type { RequestKind } from '../kind.ts';
import { indexText } from './position.ts';

const MAX_COUNT = 100;
const step = z.strictObject({
  do: z.literal('top_values').describe('The few largest or smallest values of a tensor, and where they are'),
  tensor: tensorRef,
  count: z.int().min(1).max(MAX_COUNT),
  which: z.enum(['largest', 'smallest']),
});
type TopValues = z.output<typeof step>;

const bottom = token((each) => (/^bottom$/i.test(each.text) ? ('smallest' as const) : undefined));
const end: Parser<TopValues['which']> = alt(
  map(word('TOP'), () => 'largest' as const),
  bottom,
);
const extreme: Parser<TopValues['which']> = alt(
  map(word('MAXIMUM', 'LARGEST'), () => 'largest' as const),
  map(word('MINIMUM', 'SMALLEST'), () => 'smallest' as const),
);
const asked = many(word('SHOW', 'WHAT', 'IS'));
const clause: Parser<readonly TopValues[]> = alt(
  // "top 3 of x", "top 3 grades"
  map(seq(asked, end, count, opt(word('ELEMENTS', 'VALUES')), opt(word('OF')), tensorRefs), (read) =>
    stepOf(read[5], read[2], read[1]),
  ),
  // "the 3 highest values of x"
  map(seq(asked, count, extreme, opt(word('ELEMENTS', 'VALUES')), word('OF'), tensorRefs), (read) =>
    stepOf(read[5], read[1], read[2]),
  ),
  // "the highest 3 values of x"
  map(seq(asked, extreme, count, word('ELEMENTS', 'VALUES'), word('OF'), tensorRefs), (read) =>
    stepOf(read[5], read[2], read[1]),
  ),
);

function stepOf(tensor: TopValues['tensor'], size: number, which: TopValues['which']): TopValues[] | undefined {
  return size <= MAX_COUNT ? [{ do: 'top_values', tensor, count: size, which }] : undefined;
}

export const topValues: RequestKind<TopValues> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, count: wanted, which }, context) {
    const part = await context.one(tensor);
    const shape = context.shapeOf(part);
    const [values] = await context.doublesOf(part, part);
    const { found, nans } = extremesOf(values, wanted, which);
    const list = found.map(({ value, at }) => `${value} at index ${indexText(at, shape)}`).join(', ');
    const odd = found.length < wanted && nans > 0 ? `; ${nans} NaN left out` : '';
    const what = `the ${found.length} ${which} of ${countOf(shape)} value(s)`;
    const sentence = `${context.titleOf(part)}: ${what}: ${list} (counted from 0)${odd}.`;
    return {
      sentence: found.length === 0 ? `${context.titleOf(part)} has no values to rank.` : sentence,
      tensors: [part.item],
    };
  },
};
