import { z } from 'zod';
import { FIGURES, type Figure, figure } from '../../../domain/filter.ts';
import { allTensors, type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { selection } from '../../../domain/prompt/criteria.ts';
import { alt, list, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { and, asking } from '../../../domain/prompt/refs.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { countedNoun } from '../../../domain/prompt/tensor-traits.ts';
import { countedFigure, measuredFigure } from '../../../domain/prompt/value-traits.ts';
import type { Part, ValueFigures } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('figures').describe('Figures of the values of tensors: minimum, mean, how many are negative …'),
  tensors: z.array(z.union([tensorRef, allTensors])).min(1),
  figures: z.array(figure).min(1),
});
type Figures = z.output<typeof step>;
type Target = Figures['tensors'][number];

/** The median has to sort all values, so it is not among those that are always given. */
const STATISTICS = FIGURES.filter((each) => !['median', 'trues', 'falses', 'nonzeros'].includes(each));

const some: Parser<Figure[]> = alt(
  list(
    alt(
      measuredFigure,
      map(countedFigure, (found) => found, 1),
    ),
    and,
  ),
  map(word('STATISTICS'), () => [...STATISTICS]),
  map(word('RANGE'), () => ['min', 'max'] as Figure[]),
);
const named: Parser<Target[]> = list(
  map(seq(opt(word('OF')), tensorRefs), ([, ref]) => ref),
  and,
);
/** "of every tensor", "of all float32 tensors". */
const every: Parser<Target[]> = map(
  seq(opt(word('OF')), selection),
  ([, { what, filter, order, limit, isMany }]) =>
    what === 'tensors' && (isMany || order)
      ? [{ all: { filter, ...(order && { order, limit: limit ?? 1 }) } }]
      : undefined,
  0.5,
);
const refs = alt(named, every);
const figuresOf = (tensors: readonly Target[], figures: readonly Figure[]): Figures[] => [
  { do: 'figures', tensors: [...tensors], figures: [...figures] },
];
const asked = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'HOW_BIG'));
const linking = many(word('OF', 'DOES', 'IS', 'EXIST', 'HAVE'));
const trailing = many(word('IS', 'WHAT', 'HAVE', 'EXIST', 'CONTAINS', 'PARTICLE'));

const too = token((each) => (/^(?:too|as well|auch|también|aussi)$/i.test(each.text) ? true : undefined));

/** "The highest temperature in X", where X or its description speaks of temperature. */
const subject: Parser<string> = token((each) =>
  each.kind === 'word' && each.concepts.size === 0 && /^\p{L}{3,}$/u.test(each.text) ? each.text : undefined,
);
const measuredSubject: Parser<readonly Figures[]> = (input, at) =>
  map(
    alt(
      seq(asked, list(measuredFigure, and), many(subject, 1), word('OF'), tensorRefs, trailing),
      // "la temperatura máxima en X"
      map(
        seq(asked, many(subject, 1), list(measuredFigure, and), word('OF'), tensorRefs, trailing),
        ([said, words, found, of, ref, end]) => [said, found, words, of, ref, end] as const,
      ),
    ),
    ([, figures, words, , ref]) =>
      'name' in ref && words.length <= 2 ? { figures, words, ref, name: ref.name } : undefined,
  )(input, at).map(({ value, claims, ...match }) => ({
    ...match,
    value: figuresOf([value.ref], value.figures),
    claims: [
      ...claims,
      ...value.words.map((says) => ({ kind: 'tensor' as const, name: value.name, must: true, says })),
    ],
  }));

const warmth: Parser<Figure> = alt(
  map(word('WARMEST'), () => 'max' as const),
  map(word('COLDEST'), () => 'min' as const),
);
const clause: Parser<readonly Figures[]> = alt(
  measuredSubject,
  // "the warmest it got in X"
  map(seq(asked, warmth, word('IT_GOT'), word('OF'), tensorRefs), ([, figure, , , tensor]) =>
    figuresOf([tensor], [figure]),
  ),
  // "how many values in X are below zero"
  map(
    seq(asked, word('HOW_MANY'), word('ELEMENTS'), linking, refs, many(word('IS')), countedFigure),
    ([, , , , tensors, , figure]) => figuresOf(tensors, [figure]),
  ),
  // "how many values are true in X"
  map(
    seq(asked, word('HOW_MANY'), word('ELEMENTS'), many(word('OF', 'IS')), countedFigure, linking, refs, trailing),
    ([, , , , figure, , tensors]) => figuresOf(tensors, [figure]),
  ),
  map(seq(asked, some, linking, refs, trailing), ([, figures, , tensors]) => figuresOf(tensors, figures)),
  // "the largest value of X, and the smallest"
  map(
    seq(asked, some, linking, named, opt(word('COMMA')), word('AND'), measuredFigure, opt(too)),
    ([, figures, , tensors, , , more]) => (figures.includes(more) ? undefined : figuresOf(tensors, [...figures, more])),
  ),
  // "how many stores in X are negative", "how many days below zero in X"
  map(
    seq(asked, word('HOW_MANY'), countedNoun, linking, named, many(word('IS', 'HAVE', 'REL', 'EVER')), countedFigure),
    ([, , , , tensors, , figure]) => figuresOf(tensors, [figure]),
    0.5,
  ),
  map(
    seq(
      asked,
      word('HOW_MANY'),
      countedNoun,
      many(word('IS', 'HAVE', 'REL', 'EVER', 'WITH')),
      countedFigure,
      linking,
      named,
      trailing,
    ),
    ([, , , , figure, , tensors]) => figuresOf(tensors, [figure]),
    0.5,
  ),
  // "X: min, max, mean"
  map(seq(refs, word('COLON', 'COMMA'), some), ([tensors, , figures]) => figuresOf(tensors, figures)),
  // "how many of X are negative"
  map(
    seq(asked, word('HOW_MANY'), word('OF'), named, many(word('IS'), 1), countedFigure),
    ([, , , tensors, , figure]) => figuresOf(tensors, [figure]),
  ),
  map(seq(asking, refs, many(word('OF')), some, trailing), ([, tensors, , figures]) => figuresOf(tensors, figures)),
  map(seq(asked, word('HOW_MANY'), list(countedFigure, and), linking, refs, trailing), ([, , figures, , tensors]) =>
    figuresOf(tensors, figures),
  ),
  map(seq(refs, linking, word('HOW_MANY'), list(countedFigure, and), trailing), ([tensors, , , figures]) =>
    figuresOf(tensors, figures),
  ),
);

export const figures: RequestKind<Figures> = {
  step,
  clause,
  async check({ tensors }, context) {
    for (const each of tensors) {
      const { filter, order } = 'all' in each ? each.all : {};
      const problem = filter
        ? await context.checkFilter('tensors', filter, order)
        : await context.checkRefs(refsIn([each]));
      if (problem) return problem;
    }
    return undefined;
  },
  async perform({ tensors, figures: wanted }, context) {
    const parts: Part[] = [];
    const lines: string[] = [];
    for (const each of tensors) {
      if (!('all' in each)) parts.push(...(await context.resolve(each)));
      else {
        const { filter, order, limit } = each.all;
        const { items, total } = await context.select('tensors', filter, { order, limit: limit ?? context.maxRuns });
        parts.push(...items.flatMap((item) => ('values' in item ? [{ item }] : [])));
        if (total === 0) lines.push('No tensors found matching your criteria.');
        else if (!order && total > items.length) lines.push(`The first ${items.length} of ${total} tensors:`);
      }
    }
    for (const part of parts)
      lines.push(`${context.titleOf(part)}: ${figuresText(await context.figures(part, wanted), wanted)}.`);
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item) };
  },
};

function refsIn(targets: readonly Target[]): TensorRef[] {
  return targets.flatMap((each) => ('all' in each ? [] : [each]));
}

const TITLES: Partial<Record<Figure, string>> = {
  min: 'minimum',
  max: 'maximum',
  mean: 'mean',
  median: 'median',
  std: 'standard deviation',
  sum: 'sum',
};
const COUNTS: Partial<Record<Figure, string>> = {
  negatives: 'negative',
  positives: 'positive',
  zeros: 'zero',
  nans: 'NaN',
  infinities: 'infinite',
  trues: 'true',
  falses: 'false',
  nonzeros: 'nonzero',
};

/** "minimum -2, 1 negative value(s) of 3", with a note where not all values count. */
export function figuresText(found: ValueFigures, wanted: readonly Figure[]): string {
  const texts = wanted.map((each) =>
    TITLES[each] ? `${TITLES[each]} ${numberText(found[each])}` : countText(found, each),
  );
  const finite = found.count - found.nans - found.infinities;
  const isPartial = finite < found.count && wanted.some((each) => TITLES[each]);
  return `${texts.join(', ')}${isPartial ? ` (of the ${finite} finite values)` : ''}`;
}

export function countText(found: ValueFigures, each: Figure): string {
  return `${found[each]} ${COUNTS[each]} value(s) of ${found.count}`;
}

export function titleOfFigure(each: Figure): string {
  return TITLES[each] ?? `number of ${COUNTS[each]} values`;
}

export function numberText(value: number | null): string {
  return value === null ? 'unknown, since there are no finite values' : String(value);
}
