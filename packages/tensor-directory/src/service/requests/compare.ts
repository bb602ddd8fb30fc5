import { bytesOf, countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { type Figure, figure } from '../../domain/filter.ts';
import { type TensorRef, tensorRef } from '../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../domain/prompt/parser.ts';
import { tensorRefs } from '../../domain/prompt/refs.ts';
import { countedFigure, measuredFigure } from '../../domain/prompt/value-traits.ts';
import type { Part, PlanContext } from '../plan-context.ts';
import { numberText, titleOfFigure } from './figures.ts';
import type { RequestKind } from './kind.ts';

const step = z.strictObject({
  do: z.literal('compare').describe('Two tensors: all of it, whether something is the same, or which is larger'),
  tensors: z.tuple([tensorRef, tensorRef]),
  same: z
    .enum(['shape', 'dtype', 'elements', 'bytes', 'size', 'values'])
    .optional()
    .describe('Asks whether this is the same'),
  larger: z
    .union([z.literal('elements'), figure])
    .optional()
    .describe('Asks which one has more values, or the larger figure'),
  smaller: z.boolean().optional().describe('Asks for the smaller one instead of the larger'),
  isFirst: z.boolean().optional().describe('Asks whether it is the first one: yes or no'),
});
type Compare = z.output<typeof step>;

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
  map(seq(word('IS'), ref, word('SAME'), opt(word('SAME', 'WITH', 'OF', 'ON')), ref), ([, a, , , b]) =>
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
    if (wanted.larger) return { sentence: await largerText(a, b, wanted, context), tensors };
    if (wanted.same === 'values') return { sentence: await sameText(a, b, context), tensors };
    if (wanted.same) return { sentence: aspectText(a, b, wanted.same, context), tensors };
    return { sentence: `${both(a, b, context)}: ${(await differenceText(a, b, context)).text}.`, tensors };
  },
};

const low = (part: Part, context: PlanContext) => context.titleOf(part).replace(/^T/, 't');
const both = (a: Part, b: Part, context: PlanContext) => `${context.titleOf(a)} and ${low(b, context)}`;

function aspectText(
  a: Part,
  b: Part,
  same: Exclude<Compare['same'], 'values' | undefined>,
  context: PlanContext,
): string {
  const read = (part: Part) => {
    const { dtype } = part.item.values;
    const shape = context.shapeOf(part);
    const elements = `${countOf(shape)} element(s)`;
    const bytes = `${bytesOf(dtype, shape)} byte(s)`;
    return {
      shape: `shape ${shapeText(shape)}`,
      dtype: `dtype ${dtype}`,
      elements,
      bytes,
      size: `${elements}, ${bytes}`,
    }[same];
  };
  return `${read(a) === read(b) ? 'Yes' : 'No'}: ${low(a, context)} has ${read(a)}, ${low(b, context)} has ${read(b)}.`;
}

async function sameText(a: Part, b: Part, context: PlanContext): Promise<string> {
  const { isEqual, text } = await differenceText(a, b, context);
  return `${isEqual ? 'Yes' : 'No'}: ${low(a, context)} and ${low(b, context)}: ${text}.`;
}

async function differenceText(a: Part, b: Part, context: PlanContext): Promise<{ isEqual: boolean; text: string }> {
  const [left, right] = [shapeText(context.shapeOf(a)), shapeText(context.shapeOf(b))];
  const [first, second] = [a.item.values.dtype, b.item.values.dtype];
  const shapes = left === right ? `same shape ${left}` : `shapes ${left} and ${right}`;
  const dtypes = first === second ? `same dtype ${first}` : `dtypes ${first} and ${second}`;
  if (left !== right)
    return { isEqual: false, text: `${shapes}, ${dtypes}; values of different shapes are not compared` };
  const { count, differing, largest, mean, signedMean } = await context.difference(a, b);
  if (differing === 0) return { isEqual: true, text: `${shapes}, ${dtypes}, all ${count} value(s) are equal` };
  const sizes =
    largest === null
      ? ''
      : `, largest absolute difference ${largest}, mean absolute difference ${mean}, mean of first minus second ${signedMean}`;
  return { isEqual: false, text: `${shapes}, ${dtypes}, ${differing} of ${count} value(s) differ${sizes}` };
}

async function largerText(
  a: Part,
  b: Part,
  { larger, smaller, isFirst }: Compare,
  context: PlanContext,
): Promise<string> {
  const word = smaller ? 'smaller' : 'larger';
  if (larger === 'elements') {
    const [x, y] = [countOf(context.shapeOf(a)), countOf(context.shapeOf(b))];
    const holds = smaller ? x < y : x > y;
    if (isFirst) return `${holds ? 'Yes' : 'No'}: ${low(a, context)} has ${x} element(s), ${low(b, context)} has ${y}.`;
    if (x === y) return `${both(a, b, context)} are equally large: ${x} element(s) each.`;
    return `${context.titleOf(holds ? a : b)} is ${word}: ${holds ? x : y} element(s) against ${holds ? y : x}.`;
  }
  const title = titleOfFigure(larger!);
  const [x, y] = [(await context.figures(a, [larger!]))[larger!], (await context.figures(b, [larger!]))[larger!]];
  if (x === null || y === null)
    return `${title} of ${low(a, context)}: ${numberText(x)}; of ${low(b, context)}: ${numberText(y)}.`;
  if (x === y) return `${both(a, b, context)} have the same ${title}: ${x}.`;
  const holds = smaller ? x < y : x > y;
  if (isFirst) return `${holds ? 'Yes' : 'No'}: ${low(a, context)} has ${title} ${x}, ${low(b, context)} has ${y}.`;
  return `${context.titleOf(holds ? a : b)} has the ${word} ${title}: ${holds ? x : y} against ${holds ? y : x}.`;
}
