import { z } from 'zod';
import { tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { countedNoun } from '../../../domain/prompt/tensor-traits.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('position').describe('Where the smallest or largest value of a tensor stands'),
  tensor: tensorRef,
  value: z.enum(['min', 'max']),
  isBest: z.boolean().optional().describe('Whether it was called the best or the worst'),
});
type Position = z.output<typeof step>;

const extreme: Parser<Position['value']> = alt(
  map(word('MINIMUM'), () => 'min' as const),
  map(word('MAXIMUM'), () => 'max' as const),
);
const arg: Parser<Position['value']> = alt(
  map(word('ARG_MINIMUM'), () => 'min' as const),
  map(word('ARG_MAXIMUM'), () => 'max' as const),
);
const asked = many(word('SHOW', 'WHAT', 'IS', 'HAVE'));
const where = seq(asked, word('WHERE'), many(word('IS', 'HAVE', 'OF', 'EXIST', 'VALUES')));
const best: Parser<Position['value']> = alt(
  map(word('WORST'), () => 'min' as const),
  map(word('BEST'), () => 'max' as const),
);
const clause: Parser<readonly Position[]> = alt(
  // "the best month in X"
  map(seq(asked, best, countedNoun, word('OF'), tensorRefs, many(word('IS', 'EXIST'))), ([, value, , , tensor]) => [
    { do: 'position' as const, tensor, value, isBest: true },
  ]),
  // "where is the maximum of X", "at which index does X have its largest value"
  map(seq(where, extreme, opt(word('OF')), tensorRefs, many(word('IS', 'EXIST', 'VALUES'))), ([, value, , tensor]) =>
    stepOf(tensor, value),
  ),
  map(
    seq(where, many(word('DOES')), tensorRefs, many(word('HAVE')), opt(word('IT')), extreme),
    ([, , tensor, , , value]) => stepOf(tensor, value),
  ),
  map(seq(asked, arg, word('OF'), tensorRefs), ([, value, , tensor]) => stepOf(tensor, value)),
  map(seq(arg, word('OPEN'), tensorRefs, word('CLOSE')), ([value, , tensor]) => stepOf(tensor, value)),
  // "lowest value in X and at which index"
  map(
    seq(
      asked,
      extreme,
      word('OF'),
      tensorRefs,
      many(word('AND', 'COMMA'), 1),
      many(word('SHOW')),
      word('WHERE'),
      many(word('IS', 'IT', 'DOES', 'SITS', 'EXIST')),
    ),
    ([, value, , tensor]) => stepOf(tensor, value),
  ),
  map(
    seq(
      where,
      extreme,
      word('OF'),
      tensorRefs,
      many(word('AND', 'COMMA'), 1),
      many(word('WHAT', 'IS', 'HOW_BIG'), 1),
      opt(word('IT', 'VALUES')),
    ),
    ([, value, , tensor]) => stepOf(tensor, value),
  ),
  // "X 的最大值在哪个位置"
  map(
    seq(tensorRefs, many(word('OF')), extreme, many(word('OF', 'IS', 'ON')), word('WHERE'), many(word('IS', 'WHAT'))),
    ([tensor, , value]) => stepOf(tensor, value),
  ),
);

function stepOf(tensor: Position['tensor'], value: Position['value']): Position[] {
  return [{ do: 'position', tensor, value }];
}

export const position: RequestKind<Position> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, value: wanted, isBest }, context) {
    const parts = await context.resolve(tensor);
    const lines: string[] = [];
    const meant = wanted === 'min' ? "'Worst' was taken for the lowest" : "'Best' was taken for the highest";
    const taken = isBest ? ` ${meant} value.` : '';
    for (const part of parts) {
      const found = await context.extreme(part, wanted);
      const title = wanted === 'min' ? 'minimum' : 'maximum';
      if (!found) lines.push(`${context.titleOf(part)} has no finite values.`);
      else {
        const more = found.times > 1 ? `, the first of ${found.times} places` : '';
        const index = indexText(found.at, context.shapeOf(part));
        lines.push(
          `${context.titleOf(part)}: ${title} ${found.value} at index ${index} (counted from 0)${more}.${taken}`,
        );
      }
    }
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item) };
  },
};

/** "6", or "[1, 0]" where there are several axes. */
export function indexText(at: number, shape: readonly number[]): string {
  const index: number[] = [];
  let rest = at;
  for (const size of shape.toReversed()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index.length === 1 ? String(index[0]) : `[${index.join(', ')}]`;
}
