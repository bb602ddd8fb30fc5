import { z } from 'zod';
import { type Figure, figure } from '../../../domain/filter.ts';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { countedFigure, measuredFigure } from '../../../domain/prompt/value-traits.ts';
import type { Part } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';
import { isYes } from './check.ts';
import { aspectText, both, differenceText, largerText, sameText } from './compare-text.ts';

const step = z.strictObject({
  do: z.literal('compare').describe('Two tensors: all of it, whether something is the same, or which is larger'),
  tensors: z.tuple([tensorRef, tensorRef]),
  same: z
    .enum(['shape', 'dtype', 'elements', 'bytes', 'size', 'values'])
    .optional()
    .describe('Asks whether this is the same'),
  larger: z
    .union([z.enum(['elements', 'date']), figure])
    .optional()
    .describe('Asks which one has more values, was stored later, or has the larger figure'),
  smaller: z.boolean().optional().describe('Asks for the smaller one instead of the larger'),
  isFirst: z.boolean().optional().describe('Asks whether it is the first one: yes or no'),
});
export type Compare = z.output<typeof step>;

const ref = tensorRefs;
const between = alt(
  word('AND'),
  word('OR'),
  word('WITH'),
  word('COMMA'),
  map(seq(word('COMMA'), word('OR', 'AND')), () => true),
  word('OF'),
);
const pair: Parser<[TensorRef, TensorRef]> = map(
  seq(opt(word('BETWEEN')), ref, between, opt(word('OF')), ref),
  ([, a, , , b]) => [a, b],
);
const asked = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'EXIST'));
const linking = many(word('HAVE', 'IS', 'OF', 'DOES', 'CONTAINS'));
const aspect: Parser<NonNullable<Compare['same']>> = alt(
  map(word('SHAPE'), () => 'shape' as const),
  map(word('DTYPE'), () => 'dtype' as const),
  map(seq(opt(word('HOW_MANY')), word('ELEMENTS')), ([number]) => (number ? ('elements' as const) : undefined)),
  map(seq(opt(word('SIZE', 'DETAILS')), opt(word('OF')), word('BYTES')), () => 'bytes' as const),
  map(word('SIZE'), () => 'size' as const),
  map(word('VALUES'), () => 'values' as const),
);
const bigger: Parser<{ smaller?: true }> = alt(
  map(word('LARGER'), () => ({})),
  map(word('SMALLER'), () => ({ smaller: true as const })),
);
const age: Parser<{ smaller?: true }> = alt(
  map(word('NEWER'), () => ({})),
  map(word('OLDER'), () => ({ smaller: true as const })),
);
const figureName: Parser<Figure> = alt(measuredFigure, countedFigure);
const make = (tensors: [TensorRef, TensorRef], more: Omit<Compare, 'do' | 'tensors'> = {}): Compare[] => [
  { do: 'compare', tensors, ...more },
];

const clause: Parser<readonly Compare[]> = alt(
  map(
    seq(asked, word('COMPARE'), many(word('OF', 'BETWEEN')), pair, many(word('BETWEEN', 'PARTICLE'))),
    ([, , , tensors]) => make(tensors),
  ),
  map(seq(asked, pair, many(word('OF', 'BETWEEN', 'HAVE')), word('COMPARE'), many(word('IS', 'WHAT'))), ([, tensors]) =>
    make(tensors),
  ),
  // "do X and Y have the same shape"
  map(seq(asked, pair, linking, word('SAME'), opt(aspect)), ([, tensors, , , same]) =>
    make(tensors, { same: same ?? 'values' }),
  ),
  map(seq(asked, pair, linking, word('SAME_COUNT')), ([, tensors]) => make(tensors, { same: 'size' })),
  map(
    seq(
      word('IS', 'DOES', 'HAVE'),
      ref,
      many(word('HAVE')),
      word('SAME_COUNT'),
      opt(word('SAME', 'THAN', 'WITH')),
      ref,
    ),
    ([, a, , , , b]) => make([a, b], { same: 'size' }),
  ),
  map(seq(asked, pair, linking, aspect, linking, word('SAME')), ([, tensors, , same]) => make(tensors, { same })),
  map(
    seq(asked, opt(word('SAME')), aspect, word('OF'), pair, many(word('IS')), word('SAME')),
    ([, , same, , tensors]) => make(tensors, { same }),
  ),
  // "are X and Y equal", "¿son iguales X y Y?"
  map(seq(word('IS'), word('SAME'), pair), ([, , tensors]) => make(tensors, { same: 'values' })),
  // "same dtype for X and Y?"
  map(seq(word('SAME'), aspect, many(word('OF', 'ON')), pair), ([, same, , tensors]) => make(tensors, { same })),
  // "what's newer, X or Y", "which of X and Y is older"
  map(
    seq(word('WHAT'), many(word('TENSOR', 'IS', 'HAVE', 'OF')), age, opt(word('COMMA', 'COLON')), pair),
    ([, , found, , tensors]) => make(tensors, { larger: 'date', ...found }),
  ),
  map(
    seq(word('WHAT'), many(word('TENSOR', 'IS', 'OF')), pair, many(word('IS', 'WHAT')), age),
    ([, , tensors, , found]) => make(tensors, { larger: 'date', ...found }),
  ),
  map(seq(pair, opt(word('COMMA')), word('WHAT'), many(word('IS')), age), ([tensors, , , , found]) =>
    make(tensors, { larger: 'date', ...found }),
  ),
  map(seq(word('IS'), ref, age, opt(word('THAN')), ref), ([, a, found, , b]) =>
    make([a, b], { larger: 'date', isFirst: true, ...found }),
  ),
  // "if X is larger than Y"
  map(
    seq(
      figureName,
      word('OF'),
      ref,
      many(word('IS')),
      bigger,
      opt(word('THAN')),
      opt(seq(alt(word('IT'), figureName), word('OF'))),
      ref,
    ),
    ([larger, , a, , found, , , b]) => make([a, b], { larger, isFirst: true, ...found }),
  ),
  map(seq(ref, word('IS'), bigger, opt(word('THAN')), ref), ([a, , found, , b]) =>
    make([a, b], { larger: 'elements', isFirst: true, ...found }),
  ),
  // "what is larger, the mean of X or that of Y"
  map(
    seq(
      word('WHAT'),
      many(word('IS')),
      bigger,
      opt(word('COMMA', 'COLON')),
      figureName,
      word('OF'),
      ref,
      word('OR'),
      many(alt(figureName, word('ONES', 'IT', 'OF'))),
      ref,
    ),
    ([, , found, , larger, , a, , , b]) => make([a, b], { larger, ...found }),
  ),
  // "which of X and Y has the higher mean"
  map(
    seq(word('WHAT'), opt(word('OF')), pair, many(word('HAVE', 'WITH')), bigger, figureName, many(word('HAVE', 'IS'))),
    ([, , tensors, , found, larger]) => make(tensors, { larger, ...found }),
  ),
  // "is X the same shape as Y", "is X equal to Y"
  map(
    seq(
      word('IS', 'DOES', 'HAVE'),
      ref,
      many(word('HAVE', 'IS')),
      word('SAME'),
      aspect,
      opt(word('SAME', 'OF', 'WITH')),
      ref,
    ),
    ([, a, , , same, , b]) => make([a, b], { same }),
  ),
  map(seq(word('IS', 'DOES'), ref, word('SAME'), opt(word('SAME', 'WITH', 'OF', 'ON')), ref), ([, a, , , b]) =>
    make([a, b], { same: 'values' }),
  ),
  map(seq(ref, word('HAVE', 'IS'), word('SAME'), aspect, word('SAME'), ref), ([a, , , same, , b]) =>
    make([a, b], { same }),
  ),
  // "which is larger, X or Y", "which has the larger mean, X or Y"
  map(
    seq(word('WHAT'), many(word('TENSOR', 'IS', 'HAVE')), bigger, opt(word('COMMA', 'COLON')), pair),
    ([, , found, , tensors]) => make(tensors, { larger: 'elements', ...found }),
  ),
  // "which is bigger on average, X or Y"
  map(
    seq(
      word('WHAT'),
      many(word('TENSOR', 'IS', 'HAVE')),
      alt(
        map(seq(bigger, word('ON_AVERAGE')), ([found]) => found),
        map(seq(word('ON_AVERAGE'), bigger), ([, found]) => found),
      ),
      opt(word('COMMA', 'COLON')),
      pair,
    ),
    ([, , found, , tensors]) => make(tensors, { larger: 'mean', ...found }),
  ),
  map(
    seq(
      word('ON_AVERAGE'),
      opt(word('COMMA')),
      word('WHAT'),
      many(word('TENSOR', 'IS')),
      bigger,
      opt(word('COMMA', 'COLON')),
      pair,
    ),
    ([, , , , found, , tensors]) => make(tensors, { larger: 'mean', ...found }),
  ),
  map(
    seq(pair, many(word('WHAT', 'OF', 'COMMA')), word('ON_AVERAGE'), many(word('WHAT', 'IS')), bigger),
    ([tensors, , , , found]) => make(tensors, { larger: 'mean', ...found }),
  ),
  // "X 和 Y 哪个元素更多"
  map(seq(pair, many(word('WHAT', 'OF')), word('ELEMENTS'), bigger), ([tensors, , , found]) =>
    make(tensors, { larger: 'elements', ...found }),
  ),
  map(
    seq(word('WHAT'), many(word('TENSOR', 'IS', 'HAVE')), bigger, figureName, opt(word('COMMA', 'COLON')), pair),
    ([, , found, larger, , tensors]) => make(tensors, { larger, ...found }),
  ),
  map(
    seq(
      word('WHAT'),
      many(word('TENSOR', 'IS', 'HAVE')),
      figureName,
      many(word('IS')),
      bigger,
      opt(word('COMMA', 'COLON')),
      pair,
    ),
    ([, , larger, , found, , tensors]) => make(tensors, { larger, ...found }),
  ),
  map(
    seq(opt(word('WHAT')), opt(word('OF')), pair, many(word('WHAT', 'IS', 'OF', 'HAVE')), bigger),
    ([, , tensors, , found]) => make(tensors, { larger: 'elements', ...found }),
  ),
  // "is the mean of X higher than that of Y"
  map(
    seq(
      word('IS'),
      figureName,
      word('OF'),
      ref,
      bigger,
      opt(word('THAN')),
      opt(seq(alt(word('IT'), figureName), word('OF'))),
      ref,
    ),
    ([, larger, , a, found, , , b]) => make([a, b], { larger, isFirst: true, ...found }),
  ),
  map(
    seq(word('DOES', 'HAVE', 'IS'), ref, many(word('HAVE')), bigger, figureName, opt(word('THAN', 'SAME')), ref),
    ([, a, , found, larger, , b]) => make([a, b], { larger, isFirst: true, ...found }),
  ),
  map(
    seq(
      word('IS'),
      ref,
      opt(word('ON_AVERAGE')),
      bigger,
      opt(word('ON_AVERAGE')),
      opt(word('THAN')),
      ref,
      opt(word('ON_AVERAGE')),
    ),
    ([, a, before, found, middle, , b, after]) =>
      (before ?? middle ?? after) ? make([a, b], { larger: 'mean', isFirst: true, ...found }) : undefined,
  ),
  map(seq(pair, many(word('WHAT', 'OF')), figureName, many(word('IS')), bigger), ([tensors, , larger, , found]) =>
    make(tensors, { larger, ...found }),
  ),
  map(
    seq(word('IS', 'DOES', 'HAVE'), ref, many(word('HAVE')), bigger, opt(word('THAN', 'SAME')), ref),
    ([, a, , found, , b]) => make([a, b], { larger: 'elements', isFirst: true, ...found }),
  ),
);

export const compare: RequestKind<Compare> = {
  step,
  clause,
  check: ({ tensors }, context) => context.checkRefs(tensors),
  async perform(wanted, context) {
    const parts: Part[] = [];
    for (const each of wanted.tensors) parts.push(await context.one(each));
    const [a, b] = parts as [Part, Part];
    const tensors = [a.item, b.item];
    const sentence = wanted.larger
      ? await largerText(a, b, wanted, context)
      : wanted.same === 'values'
        ? await sameText(a, b, context)
        : wanted.same && aspectText(a, b, wanted.same, context);
    if (sentence !== undefined)
      return { sentence, tensors, ...(/^(?:Yes|No):/.test(sentence) && { holds: isYes(sentence) }) };
    return { sentence: `${both(a, b, context)}: ${(await differenceText(a, b, context)).text}.`, tensors };
  },
};
