import { z } from 'zod';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { isYes } from '../compare/check.ts';
import type { RequestKind } from '../kind.ts';
import { indexText } from './position.ts';

const step = z.strictObject({
  do: z.literal('find_value').describe('Whether and where a number occurs in a tensor'),
  tensor: tensorRef,
  value: z.number(),
});
export type FindValue = z.output<typeof step>;

/** Integers that a double cannot tell apart are not looked for. */
const number: Parser<number> = token((each) =>
  each.value !== undefined && (!Number.isInteger(each.value) || Number.isSafeInteger(each.value))
    ? each.value
    : undefined,
);
const value = map(seq(opt(word('HAS_VALUE')), number, opt(word('HAS_VALUE'))), ([, found]) => found);
const asked = many(word('SHOW', 'IS', 'DOES', 'HAVE', 'EXIST'), 1);
const occurring = many(word('SITS', 'EXIST', 'PARTICLE', 'CONTAINS', 'VALUES', 'HAVE'));
const clause: Parser<readonly FindValue[]> = alt(
  // "is there a 7 in X", "is 7 in X", "does 7 occur in X"
  map(seq(asked, value, occurring, word('OF'), tensorRefs, occurring), ([, found, , , tensor]) =>
    stepOf(tensor, found),
  ),
  // "does X contain 7"
  map(seq(asked, tensorRefs, word('CONTAINS', 'HAVE', 'VALUES'), value), ([, tensor, , found]) =>
    stepOf(tensor, found),
  ),
  map(seq(word('CONTAINS', 'HAVE'), tensorRefs, value), ([, tensor, found]) => stepOf(tensor, found)),
  // "kommt 7 in X vor"
  map(seq(word('SITS'), value, word('OF'), tensorRefs, occurring), ([, found, , tensor]) => stepOf(tensor, found)),
  // "where is 7 in X"
  map(
    seq(word('WHERE'), many(word('IS', 'DOES', 'SITS')), value, occurring, word('OF'), tensorRefs, occurring),
    ([, , found, , , tensor]) => stepOf(tensor, found),
  ),
  // "where in X is 7"
  map(
    seq(word('WHERE'), opt(word('OF')), tensorRefs, word('IS', 'SITS', 'DOES'), value, occurring),
    ([, , tensor, , found]) => stepOf(tensor, found),
  ),
  // "103 在 ids 里吗", "est-ce que 103 est dans ids"
  map(
    seq(value, many(word('IS', 'SITS', 'ON')), word('OF', 'ON', 'SITS'), tensorRefs, many(word('OF', 'PARTICLE'))),
    ([found, , , tensor]) => stepOf(tensor, found),
  ),
  // "X 里有没有 7"
  map(seq(tensorRefs, many(word('OF')), many(word('EXIST', 'HAVE', 'CONTAINS'), 1), value), ([tensor, , , found]) =>
    stepOf(tensor, found),
  ),
);

function stepOf(tensor: TensorRef, found: number): FindValue[] {
  return [{ do: 'find_value', tensor, value: found }];
}

export const findValue: RequestKind<FindValue> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, value: wanted }, context) {
    const parts = await context.resolve(tensor);
    const lines: string[] = [];
    for (const part of parts) {
      const title = context.titleOf(part).replace(/^T/, 't');
      const { at, times } = await context.placesOf(part, wanted);
      const more = times > 1 ? `, the first of ${times} places` : '';
      const index = indexText(at, context.shapeOf(part));
      lines.push(
        times === 0
          ? `No: ${title} does not hold ${wanted}.`
          : `Yes: ${title} holds ${wanted} at index ${index} (counted from 0)${more}.`,
      );
    }
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item), holds: lines.every(isYes) };
  },
};
