import { shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { figure, filter } from '../../../domain/filter.ts';
import { type Selection, selection } from '../../../domain/prompt/criteria.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { count } from '../../../domain/prompt/refs.ts';
import { countedFigure, measuredFigure } from '../../../domain/prompt/value-traits.ts';
import type { RequestKind } from '../kind.ts';
import { titleOfFigure } from '../measure/figures.ts';

const step = z.strictObject({
  do: z.literal('rank').describe('The tensors whose values have the largest or smallest mean, maximum …'),
  filter: filter.default({}),
  figure: z.union([figure, z.enum(['bytes'])]).describe('A figure of the values, or their size in bytes'),
  first: z.enum(['largest', 'smallest']),
  limit: z.int().min(1).max(1000).optional().describe('How many of them; without it, those that share the first place'),
});
type Rank = z.output<typeof step>;

const first: Parser<Rank['first']> = alt(
  map(word('LARGEST', 'MAXIMUM', 'LARGER'), () => 'largest' as const),
  map(word('SMALLEST', 'MINIMUM', 'SMALLER'), () => 'smallest' as const),
);
const most: Parser<Rank['first']> = alt(
  map(word('MOST'), () => 'largest' as const),
  map(word('LEAST'), () => 'smallest' as const),
);
const asked = many(word('SHOW', 'WHAT', 'IS'));
const clause: Parser<readonly Rank[]> = alt(
  // "which tensor has the highest mean"
  map(
    seq(
      asked,
      selection,
      many(word('HAVE', 'WITH', 'REL', 'CONTAINS', 'OF')),
      first,
      measuredFigure,
      many(word('HAVE')),
    ),
    ([, found, , order, wanted]) => rankOf(found, wanted, order),
  ),
  map(
    seq(asked, selection, many(word('HAVE', 'WITH', 'REL', 'CONTAINS')), most, countedFigure, many(word('HAVE'))),
    ([, found, , order, wanted]) => rankOf(found, wanted, order),
  ),
  // "biggest tensor by memory", "which tensor is the largest in bytes"
  map(
    seq(asked, first, selection, alt(word('BY_MEMORY'), seq(word('OF'), word('BYTES', 'MEMORY')))),
    ([, order, found]) => rankOf(found, 'bytes', order),
  ),
  map(
    seq(
      asked,
      selection,
      many(word('IS', 'HAVE')),
      first,
      alt(word('BY_MEMORY'), seq(word('OF'), word('BYTES', 'MEMORY'))),
    ),
    ([, found, , order]) => rankOf(found, 'bytes', order),
  ),
  // "which tensor takes the most memory"
  map(
    seq(
      asked,
      selection,
      many(word('TAKE', 'HAVE', 'REL', 'WITH')),
      most,
      opt(word('OF')),
      word('MEMORY', 'BYTES'),
      many(word('TAKE', 'PARTICLE')),
    ),
    ([, found, , order]) => rankOf(found, 'bytes', order),
  ),
  // "what takes up the most space"
  map(seq(word('WHAT'), word('TAKE'), most, opt(word('OF')), word('MEMORY', 'BYTES')), ([, , order]) =>
    rankOf({ what: 'tensors', filter: {}, isMany: true }, 'bytes', order),
  ),
  // "占用字节最多的张量是哪个"
  map(
    seq(asked, word('BY_MEMORY', 'MEMORY'), most, opt(word('OF')), selection, many(word('IS', 'WHAT'))),
    ([, , order, , found]) => rankOf(found, 'bytes', order),
  ),
  // "top 3 tensors by size in bytes", "the 3 largest tensors by mean"
  map(
    seq(
      asked,
      opt(word('TOP')),
      count,
      opt(first),
      selection,
      alt(
        map(word('BY_MEMORY'), () => 'bytes' as const),
        map(word('ON_AVERAGE'), () => 'mean' as const),
        map(seq(word('WITH'), measuredFigure), ([, by]) => by),
      ),
    ),
    ([, top, limit, order, found, by]) => (top || order ? rankOf(found, by, order ?? 'largest', limit) : undefined),
  ),
  map(seq(asked, selection, word('BY_MEMORY'), most), ([, found, , order]) => rankOf(found, 'bytes', order)),
  // "哪个张量的平均值最大"
  map(
    seq(asked, selection, many(word('OF', 'HAVE', 'WITH')), measuredFigure, many(word('IS')), first, opt(word('WHAT'))),
    ([, found, , wanted, , order]) => rankOf(found, wanted, order),
  ),
);

function rankOf(
  { what, filter: found, order }: Selection,
  wanted: Rank['figure'],
  by: Rank['first'],
  limit?: number,
): Rank[] | undefined {
  return what === 'tensors' && !order
    ? [{ do: 'rank', filter: found, figure: wanted, first: by, ...(limit !== undefined && { limit }) }]
    : undefined;
}

export const rank: RequestKind<Rank> = {
  step,
  clause,
  check: ({ filter: wanted }, context) => context.checkFilter('tensors', wanted, undefined),
  async perform({ filter: wanted, figure: by, first: order, limit }, context) {
    const found = await context.ranked(wanted, by, order);
    const [best] = found;
    if (!best) return { sentence: 'No tensors found matching your criteria.', tensors: [] };
    const measure = by === 'bytes' ? 'size in bytes' : titleOfFigure(by);
    const isCount = measure.startsWith('number of');
    const note = !isCount && found.some(({ isPartial }) => isPartial) ? ' Infinite values are left out.' : '';
    if (limit !== undefined) {
      const chosen = found.slice(0, limit);
      const lines = chosen.map(({ item, value }) => `Name='${item.name}', ${value}`);
      return {
        sentence: `${order === 'largest' ? 'Largest' : 'Smallest'} ${chosen.length} of ${found.length} tensor(s) by ${measure}: [${lines.join('; ')}]${note}`,
        tensors: chosen.map(({ item }) => item),
      };
    }
    const equal = found.filter(({ value }) => value === best.value);
    const shown = equal
      .slice(0, context.examples)
      .map(({ item }) => `Name='${item.name}', Shape='${shapeText(item.values.shape)}', Dtype='${item.values.dtype}'`);
    const more = equal.length > shown.length ? `; and ${equal.length - shown.length} more...` : '';
    const title = `${order === 'largest' ? 'Largest' : 'Smallest'} ${measure}`;
    return {
      sentence: `${title} of ${found.length} tensor(s) is ${best.value}: [${shown.join('; ')}${more}]${note}`,
      tensors: equal.map(({ item }) => item),
    };
  },
};
