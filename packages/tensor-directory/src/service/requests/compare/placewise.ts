import { countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { atPlaces, type Relation } from '../../../domain/values/places.ts';
import type { Part, PlanContext } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';
import { indexText } from '../measure/position.ts';
import { isYes } from './check.ts';

const step = z.strictObject({
  do: z.literal('placewise').describe('Two tensors of one shape, place by place: their difference, or how they relate'),
  tensors: z.tuple([tensorRef, tensorRef]),
  relation: z
    .enum(['minus', 'higher', 'lower', 'times'])
    .describe('"minus" answers with the differences, "times" asks whether the first is that many times the second'),
  factor: z.number().optional().describe('For "times"'),
  asks: z
    .enum(['where', 'always', 'ever'])
    .optional()
    .describe('At which places it holds, whether at all of them, or whether at any'),
});
type Placewise = z.output<typeof step>;

/** More are for compare_tensors. */
const MAX_LISTED = 50;
const MAX_DIFFERENCES = 1000;
const ref = tensorRefs;
const make = (a: TensorRef, b: TensorRef, more: Omit<Placewise, 'do' | 'tensors'>): Placewise[] => [
  { do: 'placewise', tensors: [a, b], ...more },
];
const relation: Parser<'higher' | 'lower'> = alt(
  map(seq(word('HIGHER'), opt(word('THAN'))), () => 'higher' as const),
  map(seq(word('LOWER'), opt(word('THAN'))), () => 'lower' as const),
);
const number: Parser<number> = token((each) =>
  each.value !== undefined && !each.concepts.has('ORDINAL') ? each.value : undefined,
);
const factor: Parser<number> = alt(
  map(word('TWICE'), () => 2),
  map(seq(number, word('TIMES')), ([value]) => value),
);
const asked = many(word('SHOW', 'WHAT', 'IS'));
const clause: Parser<readonly Placewise[]> = alt(
  // "what is Y minus X"
  map(seq(asked, ref, word('MINUS'), ref, opt(word('ALWAYS'))), ([, a, , b]) => make(a, b, { relation: 'minus' })),
  // "the difference between A and B at each place"
  map(
    seq(asked, word('COMPARE'), many(word('OF', 'BETWEEN')), ref, word('AND'), ref, word('ALWAYS')),
    ([, , , a, , b]) => make(a, b, { relation: 'minus' }),
  ),
  // "in which places is A lower than B"
  map(seq(opt(word('SHOW')), word('PLACES'), many(word('IS', 'DOES')), ref, many(word('IS')), relation, ref), (read) =>
    make(read[3], read[6], { relation: read[5], asks: 'where' }),
  ),
  // "is A always below B", "is A ever below B"
  map(
    seq(word('IS', 'DOES'), ref, many(word('IS')), word('ALWAYS', 'EVER'), relation, ref),
    ([, a, , said, found, b]) => make(a, b, { relation: found, asks: said.concepts.has('ALWAYS') ? 'always' : 'ever' }),
  ),
  // "X 总是小于 Y 吗", "is always A below B"
  map(seq(opt(word('IS')), ref, word('ALWAYS'), relation, ref, many(word('PARTICLE'))), ([, a, , found, b]) =>
    make(a, b, { relation: found, asks: 'always' }),
  ),
  // "is A twice B"
  map(seq(word('IS'), ref, factor, opt(word('OF')), ref), ([, a, times, , b]) =>
    make(a, b, { relation: 'times', factor: times, asks: 'always' }),
  ),
);

export const placewise: RequestKind<Placewise> = {
  step,
  clause,
  check: ({ tensors }, context) => context.checkRefs(tensors),
  async perform({ tensors: refs, ...wanted }, context) {
    const [a, b] = [await context.one(refs[0]), await context.one(refs[1])];
    const sentence = await sentenceOn(a, b, wanted, context);
    return { sentence, tensors: [a.item, b.item], ...(/^(?:Yes|No):/.test(sentence) && { holds: isYes(sentence) }) };
  },
};

type Wanted = Omit<Placewise, 'do' | 'tensors'>;

async function sentenceOn(a: Part, b: Part, { relation: said, factor: times, asks }: Wanted, context: PlanContext) {
  const [first, second] = [context.titleOf(a), context.titleOf(b).replace(/^T/, 't')];
  const shape = context.shapeOf(a);
  const [left, right] = [shapeText(shape), shapeText(context.shapeOf(b))];
  if (left !== right)
    return `${first} and ${second} are not compared place by place: their shapes are ${left} and ${right}.`;
  const [x, y] = await context.doublesOf(a, b);
  // Integers beyond this may be rounded, so that different ones look equal.
  if ([x, y].some((row) => row.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value))))
    return `${first} and ${second} are not compared here: they hold integers beyond 2^53. Use compare_tensors.`;
  const count = countOf(shape);
  if (said === 'minus') {
    if (count > MAX_DIFFERENCES)
      return `${first} and ${second} have ${count} value(s); for more than ${MAX_DIFFERENCES}, use compare_tensors, or give a slice.`;
    const differences = [...x].map((value, i) => numberOf(value - y[i]!));
    return `${first} minus ${second}, place by place: ${nested(differences, shape)}.`;
  }
  const relation: Relation = said === 'times' ? { times: times ?? 1 } : said;
  const { places, nans } = atPlaces(
    x,
    y,
    relation,
    [a, b].some(({ item }) => item.values.dtype === 'float32'),
  );
  const verb = said === 'times' ? `is ${times} times ${second}` : `is ${said} than ${second}`;
  const isAll = places.length === count;
  const holds = asks === 'always' ? isAll : asks === 'ever' ? places.length > 0 : undefined;
  const at = isAll && asks !== 'where' ? `at all ${count} place(s)` : `at ${places.length} of ${count} place(s)`;
  const odd = nans > 0 ? `, ${nans} of them with NaN` : '';
  const isListed = said !== 'times' && places.length > 0 && places.length <= MAX_LISTED && (asks === 'where' || !isAll);
  const list = places.map((i) => `index ${indexText(i, shape)} (${x[i]} against ${y[i]})`).join(', ');
  const what = `${verb} ${at}${odd}${isListed ? `: ${list} (counted from 0)` : ''}.`;
  return holds === undefined ? `${first} ${what}` : `${holds ? 'Yes' : 'No'}: ${first.replace(/^T/, 't')} ${what}`;
}

/** 2.1 - 1.5 is 0.6, but for the last digit of a double. */
function numberOf(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) ? value : Number(value.toPrecision(15));
}

function nested(values: readonly number[], shape: readonly number[]): string {
  if (shape.length === 0) return String(values[0]);
  const [size = 0, ...rest] = shape;
  const step = countOf(rest);
  const parts = Array.from({ length: size }, (_, i) => nested(values.slice(i * step, (i + 1) * step), rest));
  return `[${parts.join(', ')}]`;
}
