import type { Figure, Filter } from '../filter.ts';
import type { Concept } from './english.ts';
import { alt, many, map, opt, type Parser, seq, type Token, word } from './parser.ts';
import { bounds, size } from './tensor-traits.ts';

const COUNTED: readonly (readonly [Concept, Figure])[] = [
  ['NEGATIVE', 'negatives'],
  ['POSITIVE', 'positives'],
  ['ZERO', 'zeros'],
  ['NAN', 'nans'],
  ['INFINITE', 'infinities'],
  ['TRUE', 'trues'],
  ['FALSE', 'falses'],
  ['NONZERO', 'nonzeros'],
];
/** Kinds of values that are counted: negatives, zeros, NaN. */
export const countedFigure: Parser<Figure> = alt(
  ...COUNTED.map(([concept, figure]) => map(seq(word(concept), opt(word('ELEMENTS', 'VALUES'))), () => figure)),
);
const MEASURED: readonly (readonly [Concept, Figure])[] = [
  ['MINIMUM', 'min'],
  ['MAXIMUM', 'max'],
  ['MEAN', 'mean'],
  ['MEDIAN', 'median'],
  ['SUM', 'sum'],
  ['DEVIATION', 'std'],
];
/** "mean", "mean of all values". */
export const measuredFigure: Parser<Figure> = alt(
  ...MEASURED.map(([concept, figure]) =>
    map(seq(word(concept), opt(seq(opt(word('OF')), opt(word('ALL')), word('ELEMENTS', 'VALUES')))), () => figure),
  ),
);
export const contains = opt(alt(word('CONTAINS'), word('HAVE'), word('WITH')));
export const figures: Parser<Filter> = alt(
  map(seq(contains, opt(word('ALL')), countedFigure), ([, said, figure]) =>
    said && !isSome(said) ? undefined : { figures: [{ figure, range: { min: 1 } }] },
  ),
  // "only zeros", "made up entirely of zeros", "all zero"
  map(
    seq(
      contains,
      word('ENTIRELY'),
      many(word('OF', 'WITH', 'CONTAINS', 'ELEMENTS', 'VALUES', 'IS')),
      countedFigure,
      opt(word('CONTAINS', 'HAVE')),
    ),
    ([, , , figure]) => ({ figures: [{ figure, range: {}, every: true }] }),
  ),
  map(seq(contains, word('NOT'), opt(word('ALL')), countedFigure), ([, , , figure]) => ({
    figures: [{ figure, range: { max: 0 } }],
  })),
  map(seq(word('NOT'), contains, opt(word('ALL')), countedFigure), ([, , , figure]) => ({
    figures: [{ figure, range: { max: 0 } }],
  })),
  // "die NaN enthalten"
  map(seq(opt(word('ALL')), countedFigure, word('CONTAINS', 'HAVE')), ([said, figure]) =>
    said && !isSome(said) ? undefined : { figures: [{ figure, range: { min: 1 } }] },
  ),
  map(seq(contains, bounds, countedFigure), ([, range, figure]) => ({ figures: [{ figure, range }] })),
  map(seq(opt(word('WITH')), measuredFigure, opt(word('IS', 'OF')), size), ([, figure, , range]) => ({
    figures: [{ figure, range }],
  })),
);

/** "any negative values" asks for one; "all" and "every" ask for more than that. */
export function isSome({ text }: Token): boolean {
  return /^(?:any|some|irgend|alg|cualquier|certain|n'importe|任何)/i.test(text);
}
