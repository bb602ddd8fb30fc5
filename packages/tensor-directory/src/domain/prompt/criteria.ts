import { COMMON_FIELDS, type Filter, MODEL_FIELDS, type Order } from '../filter.ts';
import { dates } from './day.ts';
import type { Concept } from './english.ts';
import { inDescription, made, modelTraits, tag, text } from './item-traits.ts';
import { nameOps } from './name-traits.ts';
import { alt, list, many, map, opt, type Parser, places, rule, seq, token, word } from './parser.ts';
import { and, count, modelName, tensorName } from './refs.ts';
import { bareShape, bytes, dtypes, dtypesNamed, elements, lineCounts, rank, shapeValue } from './tensor-traits.ts';
import { topic, topicAdjective, topicNoun } from './topic.ts';
import { figures, isSome } from './value-traits.ts';

const RANKED: readonly (readonly [Concept, number])[] = [
  ['SCALARS', 0],
  ['VECTORS', 1],
  ['MATRICES', 2],
];
/** One property, as it stands before the noun: "float32 tensors", "2x2 tensors". */
const adjective: Parser<Filter> = alt(
  dtypes,
  map(bareShape, (shape) => ({ shape })),
  rank,
  modelTraits,
  map(word('UNTAGGED'), () => ({ isTagged: false })),
  map(word('SQUARE'), () => ({ isSquare: true })),
  topicAdjective,
);

/** One property, as it stands after the noun or in a question. */
export const property: Parser<Filter> = rule(() =>
  alt(
    dtypes,
    map(seq(opt(word('CREATED', 'EXIST')), word('AS', 'OF'), dtypes), ([, , found]) => found),
    map(seq(word('DTYPE'), opt(word('IS', 'OF', 'EQUALS')), dtypes), ([, , found]) => found),
    map(seq(dtypes, word('DTYPE', 'ELEMENTS', 'VALUES')), ([found]) => found),
    map(bareShape, (shape) => ({ shape })),
    map(seq(word('SHAPE'), opt(word('IS', 'OF', 'EQUALS')), shapeValue), ([, , shape]) => ({ shape })),
    // "exactly 4 by 3"
    map(seq(opt(word('EXACTLY')), count, word('BY'), count), ([, rows, , columns]) => ({ shape: [rows, columns] })),
    map(seq(opt(word('WITH', 'HAVE', 'CONTAINS')), lineCounts), ([, shape]) => ({ shape })),
    rank,
    ...RANKED.map(([concept, ndim]) => map(word(concept), () => ({ ndim: { min: ndim, max: ndim } }))),
    elements,
    bytes,
    nameOps,
    text,
    inDescription,
    tag,
    dates,
    made,
    figures,
    modelTraits,
    map(word('SQUARE'), () => ({ isSquare: true })),
    topic,
  ),
);

const joined: Parser<Filter> = map(
  seq(
    many(alt(word('REL', 'AND', 'COMMA', 'IS', 'BUT', 'HAVE', 'EXIST'))),
    property,
    // "die mehr als 10 Werte enthalten"
    opt(word('CONTAINS', 'HAVE')),
    // "with negative numbers in them"
    opt(seq(word('OF'), word('IT'))),
  ),
  ([, found, , within]) => (within && !found.figures && !found.elements ? undefined : found),
);
/** "that are float32 or have more than 10 elements". */
const alternatives: Parser<Filter> = map(
  seq(
    joined,
    many(
      map(
        seq(
          opt(word('COMMA')),
          word('OR'),
          many(word('REL', 'IS', 'HAVE', 'TENSORS', 'MODELS')),
          property,
          opt(word('CONTAINS', 'HAVE')),
        ),
        ([, , , found]) => found,
      ),
      1,
    ),
  ),
  ([first, rest]) => {
    const all = [first, ...rest];
    return all.some((each) => each.unless || each.except || each.anyOf) ? undefined : { anyOf: all };
  },
  0.3,
);
/** "auf alle Tensoren an, die mit sales beginnen": the end of the verb stands before the clause. */
const afterVerb: Parser<Filter> = map(seq(word('PARTICLE'), word('COMMA'), joined), ([, , found]) => found);
const ORDERED: readonly (readonly [Concept, Order])[] = [
  ['NEWEST', 'newest'],
  ['OLDEST', 'oldest'],
  ['LARGEST', 'largest'],
  ['SMALLEST', 'smallest'],
];
/** "newest", "largest". */
export const order: Parser<Order> = alt(...ORDERED.map(([concept, value]) => map(word(concept), () => value)));

export interface Selection {
  readonly what: 'tensors' | 'models';
  readonly filter: Filter;
  readonly order?: Order;
  readonly limit?: number;
  /** Whether the noun was in the plural, or "all" was said. */
  readonly isMany: boolean;
  /** "all tensors", "every tensor". */
  readonly isEvery?: boolean;
  /** "any tensor", "some tensors": it is left open which. */
  readonly isOpen?: boolean;
}

const exceptSaid = seq(
  opt(word('COMMA', 'OPEN')),
  alt(
    word('EXCEPT'),
    map(seq(word('BUT'), word('EXCEPT')), ([, said]) => said),
    map(seq(word('BUT'), opt(word('NOT'))), ([said]) => said),
    map(seq(word('AND'), word('NOT')), ([said]) => said),
  ),
  opt(word('ON', 'OF')),
);
const exceptEnd = opt(word('EXCEPT', 'CLOSE'));
/** "the int64 ones", "those tagged raw", "tensors with NaN". */
const exceptOnes: Parser<Filter> = rule(() =>
  alt(
    map(seq(opt(word('ALL')), many(adjective), word('ONES'), many(joined)), ([, before, , after]) =>
      someOf(merge([...before, ...after])),
    ),
    map(selection, ({ filter, order: first, limit }) => (first || limit ? undefined : someOf(filter))),
    // A word like "half" alone says too little.
    map(list(dtypeNamed, alt(and, word('OR'))), (found) => ({ dtypes: found.flat() }), 1),
  ),
);
const dtypeNamed = token((each) => (each.concepts.has('DTYPE_NAME') ? dtypesNamed(each.text) : undefined));
const someOf = (found: Filter | undefined): Filter | undefined =>
  found && !found.unless && !found.except && Object.keys(found).length > 0 ? found : undefined;
/** "But not the int64 ones" leaves out int64, not what is not int64. */
function notNegated<T>(parser: Parser<T>): Parser<T> {
  return (input, at) => {
    const isNegated = [...places(input, at)].some(({ token: each }) => each.concepts.has('NOT'));
    return isNegated ? [] : parser(input, at);
  };
}
/** "except mask", "but not mask", "除了 mask 以外", "except the int64 ones". */
export const except: Parser<Filter> = rule(() =>
  alt(
    map(seq(exceptSaid, list(alt(tensorName, modelName), and), exceptEnd), ([, names]) => ({ except: [...names] })),
    map(seq(exceptSaid, notNegated(exceptOnes), exceptEnd), ([, ones]) => ({ unless: [ones] })),
  ),
);

interface Noun {
  readonly what: 'tensors' | 'models';
  readonly filter: Filter;
  readonly text: string;
}

const noun: Parser<Noun> = alt(
  map(word('TENSORS'), ({ text: said }) => ({ what: 'tensors' as const, filter: {}, text: said })),
  map(word('MODELS'), ({ text: said }) => ({ what: 'models' as const, filter: {}, text: said })),
  map(topicNoun, (filter) => ({ what: 'tensors' as const, filter, text: 's' })),
  ...RANKED.map(([concept, ndim]) =>
    map(seq(word(concept), opt(word('TENSORS'))), ([each]) => ({
      what: 'tensors' as const,
      filter: { ndim: { min: ndim, max: ndim } },
      text: each.text,
    })),
  ),
);

/** "all float32 tensors with more than 10 elements", "the 3 newest models", "名称以 sales 开头的张量". */
export const selection: Parser<Selection> = rule(() =>
  map(
    seq(
      opt(except),
      opt(word('ALL')),
      opt(count),
      opt(order),
      opt(count),
      many(
        map(seq(many(alt(word('REL'), word('AND'), word('COMMA'))), alt(adjective, property)), ([, found]) => found),
      ),
      opt(order),
      opt(word('ALL')),
      noun,
      many(alt(joined, alternatives, afterVerb, except)),
      opt(map(seq(many(word('IS', 'WHAT')), order, opt(word('TENSORS', 'MODELS'))), ([, found]) => found)),
      // "every tensor we have"
      opt(word('EXIST')),
      opt(except),
    ),
    ([
      before,
      ahead,
      early,
      first,
      late,
      leading,
      second,
      behind,
      { what, filter, text: said },
      trailing,
      last,
      ,
      after,
    ]) => {
      const all = ahead ?? behind;
      if (ahead && behind) return undefined;
      const orders = [first, second, last].filter((each) => each !== undefined);
      const limit = early ?? late;
      if (orders.length > 1 || (limit !== undefined && orders.length === 0)) return undefined;
      const merged = merge([...leading, filter, ...trailing, ...[before, after].filter((each) => each !== undefined)]);
      if (!merged || !fits(merged, what)) return undefined;
      if ([...(merged.unless ?? []), ...(merged.anyOf ?? [])].some((each) => !fits(each, what))) return undefined;
      const isMany =
        all !== undefined ||
        before !== undefined ||
        /s$|en$|les$|lle$|tze$|are$|[\u4e00-\u9fff]$/i.test(said) ||
        limit !== undefined;
      return {
        what,
        filter: merged,
        isMany,
        ...(all && (isSome(all) ? { isOpen: true } : { isEvery: true })),
        ...(orders[0] && { order: orders[0], limit: limit ?? 1 }),
      };
    },
  ),
);

/** "everything with sales in the name": tensors and models alike. */
export const itemsFilter: Parser<Filter> = rule(() =>
  map(seq(opt(word('ALL')), word('ITEMS'), many(joined), many(word('EXIST', 'HAVE')), opt(except)), (read) => {
    const merged = merge([...read[2], ...(read[4] ? [read[4]] : [])]);
    return merged && (fits(merged, 'tensors') || fits(merged, 'models')) ? merged : undefined;
  }),
);

/** All of these together; `undefined` where two of them speak of the same thing. */
export function merge(filters: readonly Filter[]): Filter | undefined {
  const merged: Record<string, unknown> = {};
  for (const each of filters) {
    for (const [key, value] of Object.entries(each)) {
      if (key === 'dtypes' && merged[key]) {
        const both = (value as string[]).filter((dtype) => (merged[key] as string[]).includes(dtype));
        if (both.length === 0) return undefined;
        merged[key] = both;
      } else if (key === 'figures' || key === 'unless')
        merged[key] = [...((merged[key] as unknown[]) ?? []), ...(value as unknown[])];
      else if (merged[key] !== undefined && isRange(value) && !overlaps(merged[key] as object, value as object))
        merged[key] = { ...(merged[key] as object), ...(value as object) };
      else if (merged[key] !== undefined && merged[key] !== value) return undefined;
      else merged[key] = value;
    }
  }
  return merged as Filter;
}

function isRange(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function overlaps(a: object, b: object): boolean {
  return Object.keys(a).some((key) => key in b);
}

export function fits(found: Filter, what: 'tensors' | 'models'): boolean {
  return Object.keys(found).every((key) => COMMON_FIELDS.has(key) || MODEL_FIELDS.has(key) === (what === 'models'));
}
