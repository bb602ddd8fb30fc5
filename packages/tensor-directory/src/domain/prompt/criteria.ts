import { COMMON_FIELDS, type Filter, MODEL_FIELDS, type Order } from '../filter.ts';
import { dates } from './day.ts';
import type { Concept } from './english.ts';
import { nameOps } from './name-traits.ts';
import { alt, list, many, map, opt, type Parser, rule, seq, token, word } from './parser.ts';
import { and, anyName, count, modelName, tensorName } from './refs.ts';
import { bareShape, bytes, dtypes, elements, rank, shapeValue } from './tensor-traits.ts';
import { contains, figures, isSome } from './value-traits.ts';

/** Words that mean nothing to the grammar; longer texts are quoted. */
const openWord = token((each) =>
  each.kind === 'quoted' || (each.kind === 'word' && each.concepts.size === 0) ? each.text : undefined,
);
/** Nouns that a description may have as well: "about the identity matrix". */
const nounWord = token(
  (each) => (DESCRIBED.some((concept) => each.concepts.has(concept)) ? each.text : undefined),
  0.5,
);
const DESCRIBED: readonly Concept[] = ['MATRICES', 'VECTORS', 'SCALARS', 'WEIGHTS', 'MODELS'];
/** "From October" is a date before it is a topic. */
const text: Parser<Filter> = map(
  seq(word('ABOUT'), many(alt(openWord, nounWord), 1)),
  ([, words]) => (words.length <= 4 ? { text: words.join(' ') } : undefined),
  0.1,
);
const tag: Parser<Filter> = alt(
  map(seq(word('CONTAINS', 'HAVE', 'WITH'), anyName, word('TAG')), ([, name]) => ({ tag: name }), 0.2),
  map(
    seq(opt(word('HAVE', 'CONTAINS')), word('TAG'), opt(word('WITH', 'AS', 'EQUALS')), anyName),
    ([, , , name]) => ({ tag: name }),
    0.2,
  ),
  map(seq(anyName, word('TAG')), ([name]) => ({ tag: name }), 0.5),
  map(seq(word('NOT'), word('TAG')), () => ({ isTagged: false })),
  // "tagged a or b"
  map(
    seq(
      opt(word('HAVE', 'CONTAINS')),
      word('TAG'),
      opt(word('WITH', 'AS', 'EQUALS')),
      opt(word('EITHER')),
      anyName,
      many(
        map(seq(opt(word('COMMA')), word('OR'), opt(word('TAG')), anyName), ([, , , name]) => name),
        1,
      ),
    ),
    ([, , , , first, rest]) => ({ anyTag: [first, ...rest] }),
    0.2,
  ),
);

const made: Parser<Filter> = alt(
  map(seq(opt(word('CREATED')), word('MADE_BY'), modelName), ([, , madeBy]) => ({ madeBy })),
  map(seq(opt(word('CREATED')), word('MADE_FROM'), tensorName), ([, , madeFrom]) => ({ madeFrom })),
  // "aus X erzeugt", "由 X 生成"
  map(seq(word('MADE_BY'), modelName, word('MADE_BY', 'CREATED')), ([, madeBy]) => ({ madeBy })),
  map(seq(word('MADE_FROM'), tensorName, word('MADE_FROM', 'CREATED')), ([, madeFrom]) => ({ madeFrom })),
);

const modelTraits: Parser<Filter> = alt(
  map(seq(contains, word('CODE')), () => ({ hasCode: true })),
  map(seq(contains, word('WEIGHTS')), () => ({ hasWeights: true })),
  map(seq(contains, word('NOT'), word('CODE')), () => ({ hasCode: false })),
  map(seq(contains, word('NOT'), word('WEIGHTS')), () => ({ hasWeights: false })),
  map(seq(word('NOT'), contains, word('CODE')), () => ({ hasCode: false })),
  map(seq(word('NOT'), contains, word('WEIGHTS')), () => ({ hasWeights: false })),
  map(word('RUNNABLE'), () => ({ hasCode: true })),
  map(seq(word('ONLY'), contains, word('WEIGHTS')), () => ({ hasWeights: true, hasCode: false })),
  map(seq(contains, word('ONLY'), word('WEIGHTS')), () => ({ hasWeights: true, hasCode: false })),
  map(seq(contains, word('ONLY'), word('CODE')), () => ({ hasCode: true, hasWeights: false })),
  map(seq(opt(word('OF')), word('PYTHON'), opt(word('CODE'))), () => ({ language: 'python' as const })),
  map(seq(opt(word('OF')), word('JAVASCRIPT'), opt(word('CODE'))), () => ({ language: 'javascript' as const })),
);

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
    rank,
    ...RANKED.map(([concept, ndim]) => map(word(concept), () => ({ ndim: { min: ndim, max: ndim } }))),
    elements,
    bytes,
    nameOps,
    text,
    tag,
    dates,
    made,
    figures,
    modelTraits,
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
  ([, found, , within]) => (within && !found.figures ? undefined : found),
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
  /** "any tensor", "some tensors": it is left open which. */
  readonly isOpen?: boolean;
}

const exceptSaid = seq(
  opt(word('COMMA', 'OPEN')),
  alt(
    word('EXCEPT'),
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
    map(adjective, someOf, 1),
  ),
);
const someOf = (found: Filter | undefined): Filter | undefined =>
  found && !found.unless && !found.except && Object.keys(found).length > 0 ? found : undefined;
/** "except mask", "but not mask", "除了 mask 以外", "except the int64 ones". */
export const except: Parser<Filter> = rule(() =>
  alt(
    map(seq(exceptSaid, list(alt(tensorName, modelName), and), exceptEnd), ([, names]) => ({ except: [...names] })),
    map(seq(exceptSaid, exceptOnes, exceptEnd), ([, ones]) => ({ unless: [ones] })),
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
      noun,
      many(alt(joined, afterVerb, except)),
      opt(map(seq(many(word('IS', 'WHAT')), order, opt(word('TENSORS', 'MODELS'))), ([, found]) => found)),
      // "every tensor we have"
      opt(word('EXIST')),
      opt(except),
    ),
    ([before, all, early, first, late, leading, second, { what, filter, text: said }, trailing, last, , after]) => {
      const orders = [first, second, last].filter((each) => each !== undefined);
      const limit = early ?? late;
      if (orders.length > 1 || (limit !== undefined && orders.length === 0)) return undefined;
      const merged = merge([...leading, filter, ...trailing, ...[before, after].filter((each) => each !== undefined)]);
      if (!merged || !fits(merged, what)) return undefined;
      if (merged.unless?.some((each) => !fits(each, what))) return undefined;
      const isMany =
        all !== undefined ||
        before !== undefined ||
        /s$|en$|les$|lle$|tze$|are$|[\u4e00-\u9fff]$/i.test(said) ||
        limit !== undefined;
      return {
        what,
        filter: merged,
        isMany,
        ...(all && isSome(all) && { isOpen: true }),
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
      if (key === 'figures') merged[key] = [...((merged[key] as unknown[]) ?? []), ...(value as unknown[])];
      else if (merged[key] !== undefined && isRange(value) && !overlaps(merged[key] as object, value as object))
        merged[key] = { ...(merged[key] as object), ...(value as object) };
      else if (merged[key] !== undefined) return undefined;
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
