import { bytesOf, countOf } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { filter } from '../../../domain/filter.ts';
import { name } from '../../../domain/plan.ts';
import { type Selection, selection } from '../../../domain/prompt/criteria.ts';
import { alt, list, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { and, tensorName } from '../../../domain/prompt/refs.ts';
import { matchedText } from '../../../domain/prompt/topic.ts';
import type { PlanContext } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';

/** More than this is not added up for one sentence. */
const MAX_ITEMS = 10_000;
const step = z.strictObject({
  do: z
    .literal('totals')
    .describe('Size in bytes, or number of values, of all tensors that meet a description together'),
  filter: filter.default({}),
  names: z.array(name).min(1).optional().describe('Of these alone'),
  total: z.enum(['bytes', 'elements']),
});
type Totals = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS'));
const taking = many(word('TAKE', 'HAVE', 'DOES', 'IS', 'OF', 'EXIST', 'CONTAINS'));
const together = alt(word('TOGETHER'), word('EXIST'));
const counted: Parser<Totals['total']> = alt(
  map(word('ELEMENTS'), () => 'elements' as const),
  map(word('MEMORY', 'BYTES'), () => 'bytes' as const),
);
const names = list(tensorName, and);
const totalOfNames = (found: readonly string[], total: Totals['total']): Totals[] | undefined =>
  found.length > 1 ? [{ do: 'totals', filter: {}, names: [...found], total }] : undefined;
const clause: Parser<readonly Totals[]> = alt(
  // "total size of all tensors"
  map(
    seq(
      asked,
      opt(word('SUM', 'ALL')),
      alt(word('SIZE'), word('MEMORY')),
      many(word('OF', 'TAKE', 'BYTES')),
      selection,
      many(together),
      opt(seq(word('OF'), word('BYTES', 'MEMORY'))),
    ),
    ([, , , , found]) => totalOf(found, 'bytes'),
  ),
  // "how many elements do X and Y have together"
  map(seq(asked, word('HOW_MANY'), counted, taking, names, taking, many(together, 1)), ([, , total, , found]) =>
    totalOfNames(found, total),
  ),
  map(
    seq(
      asked,
      alt(word('SIZE'), word('MEMORY')),
      word('OF'),
      names,
      many(together, 1),
      opt(seq(word('OF'), word('BYTES'))),
    ),
    ([, , , found]) => totalOfNames(found, 'bytes'),
  ),
  // "how much memory do all tensors take"
  map(
    seq(asked, word('HOW_MANY'), word('MEMORY', 'BYTES'), taking, selection, taking, many(together)),
    ([, , , , found]) => totalOf(found, 'bytes'),
  ),
  // "所有张量占用多少字节"
  map(seq(asked, selection, many(alt(together, taking)), word('HOW_MANY'), word('MEMORY', 'BYTES')), ([, found]) =>
    totalOf(found, 'bytes'),
  ),
  // "how big are all tensors together", "how many values do all tensors hold together"
  map(seq(word('HOW_BIG'), taking, selection, many(together, 1)), ([, , found]) => totalOf(found, 'bytes')),
  map(seq(asked, word('HOW_MANY'), word('ELEMENTS'), taking, selection, taking, many(together, 1)), ([, , , , found]) =>
    totalOf(found, 'elements'),
  ),
);

/** Of several tensors; that of one is a fact about it. */
function totalOf(
  { what, filter: wanted, order, isMany, isOpen }: Selection,
  total: Totals['total'],
): Totals[] | undefined {
  return what === 'tensors' && isMany && !isOpen && !order ? [{ do: 'totals', filter: wanted, total }] : undefined;
}

export const totals: RequestKind<Totals> = {
  step,
  clause,
  async check({ filter: wanted, names: said = [] }, context) {
    const refs = said.map((each) => ({ name: each }));
    return (await context.checkRefs(refs)) ?? context.checkFilter('tensors', wanted, undefined);
  },
  async perform({ filter: wanted, names: said, total: what }, context) {
    const { items, total } = said
      ? await namedItems(said, context)
      : await context.select('tensors', wanted, { limit: MAX_ITEMS });
    if (total > items.length)
      return { sentence: `There are ${total} tensors, too many to be added up; narrow the search.`, tensors: [] };
    let sum = 0;
    for (const item of items)
      if ('values' in item)
        sum += (what === 'bytes' ? bytesOf : (_: unknown, shape: readonly number[]) => countOf(shape))(
          item.values.dtype,
          item.values.shape,
        );
    const text = what === 'bytes' ? `take ${sum} byte(s)` : `have ${sum} element(s)`;
    return { sentence: `${total} tensor(s) ${text} together.${matchedText(wanted)}`, tensors: [] };
  },
};

async function namedItems(said: readonly string[], context: PlanContext) {
  const parts = await Promise.all(said.map((each) => context.one({ name: each })));
  const items = [...new Map(parts.map(({ item }) => [item.uuid, item])).values()];
  return { items, total: items.length };
}
