import { z } from 'zod';
import { filter } from '../../../domain/filter.ts';
import { type Selection, selection } from '../../../domain/prompt/criteria.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { matchedText } from '../../../domain/prompt/topic.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('count').describe('How many tensors or models meet a description'),
  what: z.enum(['tensors', 'models']),
  filter: filter.default({}),
});
type Count = z.output<typeof step>;

const trailing = many(word('EXIST', 'HAVE', 'IS', 'DOES', 'WHAT'));
const leading = many(word('SHOW', 'WHAT', 'IS', 'EXIST'));
const clause: Parser<readonly Count[]> = alt(
  map(seq(leading, word('HOW_MANY'), opt(word('OF')), selection, trailing), ([, , , found]) => countOf(found)),
  map(seq(leading, selection, trailing, word('HOW_MANY'), trailing), ([, found]) => countOf(found)),
);

function countOf({ what, filter: wanted, order }: Selection): Count[] | undefined {
  return order ? undefined : [{ do: 'count', what, filter: wanted }];
}

export const count: RequestKind<Count> = {
  step,
  clause,
  check: ({ what, filter: wanted }, context) => context.checkFilter(what, wanted, undefined),
  async perform({ what, filter: wanted }, context) {
    const { total } = await context.select(what, wanted, { limit: 1 });
    const narrowed = Object.keys(wanted).length > 0 ? ' matching your criteria' : '';
    const sentence =
      total === 1 ? `There is 1 ${what.slice(0, -1)}${narrowed}.` : `There are ${total} ${what}${narrowed}.`;
    return { sentence: `${sentence}${matchedText(wanted)}`, tensors: [] };
  },
};
