import { z } from 'zod';
import type { TensorItem } from '../../../backends/interface.ts';
import { filter, ORDERS, type Order } from '../../../domain/filter.ts';
import {
  except,
  fits,
  itemsFilter,
  merge,
  order,
  property,
  type Selection,
  selection,
} from '../../../domain/prompt/criteria.ts';
import { dates } from '../../../domain/prompt/day.ts';
import { nameFilter } from '../../../domain/prompt/name-traits.ts';
import { alt, many, map, opt, type Parser, places, seq, token, word } from '../../../domain/prompt/parser.ts';
import { matchedText, topicText } from '../../../domain/prompt/topic.ts';
import { countedFigure, isSome } from '../../../domain/prompt/value-traits.ts';
import { exampleOf, headOf, listed, sizesText } from '../../example-text.ts';
import type { RequestKind } from '../kind.ts';
import { originClause } from './by-origin.ts';

/** So many names are listed where nothing but names is asked for. */
const MAX_NAMES = 200;
const step = z.strictObject({
  do: z.literal('search').describe('Tensors or models that meet a description'),
  what: z.enum(['tensors', 'models']),
  filter: filter.default({}),
  order: z.enum(ORDERS).optional().describe('largest and smallest go by the number of values, of tensors only'),
  limit: z.int().min(1).max(1000).optional().describe('How many of them; only with order'),
  names: z.boolean().optional().describe('Whether only their names are asked for'),
});
export type Search = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'EXIST'));
const sorted: Parser<Order | 'by name'> = alt(
  map(word('BY_SIZE'), () => 'largest' as const),
  map(word('BY_DATE'), () => 'newest' as const),
  map(word('BY_NAME'), () => 'by name' as const),
);
/** "biggest first" */
const orderFirst: Parser<Order> = map(seq(order, word('FIRST')), ([found]) => found);
const OPPOSITES: Partial<Record<Order, Order>> = { largest: 'smallest', newest: 'oldest' };
const directed = (by: Order | 'by name', said: Order | undefined): Order | 'by name' | undefined =>
  said === undefined || by === said || (by !== 'by name' && OPPOSITES[by] === said) ? (said ?? by) : undefined;
const topic: Parser<string> = map(
  many(
    token((each) =>
      each.kind === 'quoted' || (each.kind === 'word' && each.concepts.size === 0 && /^\p{L}+$/u.test(each.text))
        ? each.text
        : undefined,
    ),
    1,
  ),
  (words) => (words.length <= 3 ? words.join(' ') : undefined),
);
/** Dates that begin with the word for storing: without it, "Monday" alone says too little. */
function createdThen<T>(parser: Parser<T>): Parser<T> {
  return (input, at) =>
    [...places(input, at)].some(({ token: each }) => each.concepts.has('CREATED')) ? parser(input, at) : [];
}
const whichOnes = token((each) =>
  /^(?:which ones|which one|which of them|lesquels|lesquelles|cuáles)$/i.test(each.text) ? true : undefined,
);
const WHICH = token((each) =>
  /^(?:which|which one|lequel|cuál|welcher|welches)$/i.test(each.text) ? true : undefined,
);
const sizeOrder: Parser<Order> = map(order, (found) =>
  found === 'largest' || found === 'smallest' ? found : undefined,
);
const namesOf = (found: Selection): Search[] | undefined =>
  found.order ? undefined : [{ ...searchOf(found), names: true }];
const SEARCHING = /^(?:search|look|such|busca|cherch|recherch|搜|查找|检索)/i;

const clause: Parser<readonly Search[]> = alt(
  originClause,
  map(
    seq(
      asked,
      opt(word('OF')),
      selection,
      many(word('EXIST', 'HAVE', 'IS', 'DOES', 'WHAT', 'PARTICLE')),
      opt(word('ONLY')),
    ),
    ([said, , found, after]) => {
      // "Do all tensors have a tag" asks for yes or no.
      if (
        found.isEvery &&
        said.some(({ concepts }) => concepts.has('DOES') || concepts.has('IS') || concepts.has('HAVE')) &&
        !said.some(({ concepts }) => concepts.has('SHOW') || concepts.has('WHAT') || concepts.has('EXIST'))
      )
        return undefined;
      // "den neuesten Tensor mit M verarbeiten" asks for a run.
      if (after.some(({ concepts }) => concepts.has('RUN') || concepts.has('FEED'))) return undefined;
      const isBare = Object.keys(found.filter).length === 0 && !found.order;
      // "What are tensors?" asks about the world, and "show tensor" is not finished.
      const isAboutAll = said.length === 2 && said[0]!.concepts.has('WHAT') && said[1]!.concepts.has('IS');
      return isBare && (!found.isMany || isAboutAll) ? undefined : [searchOf(found)];
    },
  ),
  map(
    seq(
      asked,
      selection,
      opt(word('COMMA')),
      sorted,
      opt(seq(opt(word('COMMA', 'OPEN')), orderFirst, opt(word('CLOSE')))),
    ),
    ([, found, , by, said]) => {
      const order = directed(by, said?.[1]);
      if (!order) return undefined;
      const isTensors = found.what === 'tensors';
      if (found.order || (!isTensors && order === 'largest')) return undefined;
      return [searchOf({ ...found, ...(order !== 'by name' && { order }) })];
    },
  ),
  // "the names of all models", "所有模型的名称"
  map(
    seq(asked, opt(word('ALL')), word('NAME'), many(word('OF')), selection, many(word('EXIST', 'HAVE'))),
    ([, , , , found]) => namesOf(found),
  ),
  map(
    seq(asked, selection, many(word('COMMA', 'OF', 'EXIST', 'ONLY')), word('NAME'), many(word('ONLY', 'IS', 'WHAT'))),
    ([, found]) => namesOf(found),
  ),
  // "which one has the most elements"
  map(seq(WHICH, many(word('IS', 'HAVE')), sizeOrder, opt(word('TENSORS'))), ([, , found]) => [
    { do: 'search' as const, what: 'tensors' as const, filter: {}, order: found, limit: 1 },
  ]),
  // "除了 X，列出所有张量"
  map(
    seq(except, opt(word('COMMA')), asked, selection, many(word('EXIST', 'HAVE', 'IS', 'WHAT'))),
    ([left, , , found]) => {
      const merged = merge([found.filter, left]);
      return merged && found.isMany && !found.order ? [searchOf({ ...found, filter: merged })] : undefined;
    },
  ),
  // "are there any NaNs anywhere", "gibt es irgendwo NaN"
  map(
    seq(
      many(word('SHOW', 'IS', 'EXIST', 'HAVE', 'DOES'), 1),
      opt(word('ANYWHERE')),
      opt(word('ALL')),
      countedFigure,
      many(word('EXIST')),
      opt(word('ANYWHERE')),
    ),
    ([, before, , figure, , after]) =>
      before || after
        ? [searchOf({ what: 'tensors', filter: { figures: [{ figure, range: { min: 1 } }] }, isMany: true })]
        : undefined,
  ),
  // "any NaNs in the weather tensors"
  map(
    seq(
      many(word('SHOW', 'IS', 'EXIST', 'HAVE', 'DOES')),
      opt(word('ALL')),
      countedFigure,
      many(word('EXIST')),
      word('OF'),
      selection,
    ),
    ([, said, figure, , , found]) =>
      found.what === 'tensors' && found.isMany && !found.order && !found.filter.figures && (!said || isSome(said))
        ? [searchOf({ ...found, filter: { ...found.filter, figures: [{ figure, range: { min: 1 } }] } })]
        : undefined,
  ),
  // "ls float32", "tagged weather, not float64"
  map(
    seq(
      asked,
      property,
      many(map(seq(many(word('REL', 'AND', 'COMMA', 'BUT', 'IS')), property), ([, found]) => found)),
    ),
    ([, first, rest]) => {
      const found = merge([first, ...rest]);
      return found && Object.keys(found).every((key) => BARE.has(key)) ? itemsOf(found) : undefined;
    },
    5,
  ),
  // "which ones are tagged raw"
  map(seq(whichOnes, many(word('IS', 'HAVE', 'DOES', 'REL')), property), ([, , found]) => itemsOf(found)),
  // "uploaded before November"
  map(seq(asked, createdThen(dates)), ([, found]) => itemsOf(found)),
  // "list everything", "is there anything with sales in the name"
  map(seq(asked, itemsFilter), ([, found]) => itemsOf(found)),
  // "名称里带 sales 的都找出来"
  map(seq(nameFilter, opt(word('ALL')), word('SHOW')), ([found]) => itemsOf(found)),
  // "names starting with sales"
  map(seq(asked, opt(word('ALL')), nameFilter), ([, , found]) => itemsOf(found)),
  // "where do negative values occur in our tensors"
  map(
    seq(
      word('WHERE', 'ORIGIN'),
      many(word('DOES', 'IS', 'HAVE')),
      countedFigure,
      many(word('SITS', 'EXIST')),
      word('OF'),
      selection,
      many(word('SITS', 'EXIST')),
    ),
    ([, , figure, , , found]) =>
      found.what === 'tensors' && found.isMany && !found.order && !found.filter.figures
        ? [searchOf({ ...found, filter: { ...found.filter, figures: [{ figure, range: { min: 1 } }] } })]
        : undefined,
  ),
  // "what was made from X"
  map(seq(word('WHAT'), many(word('IS', 'HAVE', 'EXIST', 'DOES')), property), ([, , found]) =>
    found.madeBy || found.madeFrom ? [{ do: 'search' as const, what: 'tensors' as const, filter: found }] : undefined,
  ),
  // "what did I upload today"
  map(seq(word('WHAT'), many(word('IS', 'HAVE', 'EXIST', 'DOES')), dates, many(word('IS', 'HAVE'))), ([, , found]) =>
    itemsOf(found),
  ),
  // "今天上传了什么"
  map(
    seq(
      dates,
      many(word('IS', 'HAVE', 'CREATED')),
      word('WHAT'),
      opt(
        alt(
          map(word('TENSORS'), () => 'tensors' as const),
          map(word('MODELS'), () => 'models' as const),
        ),
      ),
    ),
    ([found, , , what]) => (what ? [searchOf({ what, filter: found, isMany: true })] : itemsOf(found)),
  ),
  // "what do you have", "what is in the directory"
  map(seq(word('WHAT'), many(word('IS', 'HAVE', 'DOES')), many(word('EXIST'), 1)), () => itemsOf({}), 1),
  // "search for revenue": a name that is there comes first.
  map(
    seq(word('SHOW'), opt(word('TENSORS', 'MODELS', 'ITEMS')), topic),
    ([said, , words]) => (SEARCHING.test(said.text) ? itemsOf({ text: words }) : undefined),
    3,
  ),
);

/** What may be asked for without the noun. */
const BARE: ReadonlySet<string> = new Set([
  'dtypes',
  'shape',
  'ndim',
  'elements',
  'bytes',
  'nameContains',
  'nameStarts',
  'nameEnds',
  'tag',
  'anyTag',
  'allTags',
  'isTagged',
  'createdAfter',
  'createdBefore',
  'unless',
]);

/** Of tensors and models alike, or of those that alone can meet it. */
function itemsOf(found: Selection['filter']): Search[] {
  return (['tensors', 'models'] as const)
    .filter((what) => fits(found, what))
    .map((what) => searchOf({ what, filter: found, isMany: true }));
}

export function searchOf({ what, filter: found, order, limit }: Selection): Search {
  return { do: 'search', what, filter: found, ...(order && { order }), ...(limit !== undefined && { limit }) };
}

export const search: RequestKind<Search> = {
  step,
  clause,
  check: ({ what, filter: wanted, order }, context) => context.checkFilter(what, wanted, order),
  async perform({ what, filter: wanted, order, limit, names }, context) {
    const most = names ? MAX_NAMES : context.examples;
    const { items, total } = await context.select(what, wanted, { order, limit: limit ?? most });
    if (total === 0) return { sentence: `No ${what} found matching your criteria.${topicText(wanted)}`, tensors: [] };
    const examples = items.map((item) => (names ? `'${item.name}'` : exampleOf(item)));
    const kind = what.slice(0, -1);
    const found = order
      ? `${headOf(order, limit ?? items.length)} of ${total} ${kind}(s)${sizesText(items, order)}: [${examples.join('; ')}]`
      : `Found ${total} ${kind}(s) matching criteria. ${names ? 'Names' : 'Examples'}: [${listed(examples, total, names ? ', ' : '; ')}]`;
    const sentence = `${found}${matchedText(wanted)}`;
    const isWhole = order !== undefined || items.length === total;
    const all = isWhole ? items : (await context.select(what, wanted, { limit: total })).items;
    return { sentence, tensors: all.filter((item): item is TensorItem => 'values' in item) };
  },
};
