import { countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import type { RequestKind } from '../kind.ts';

const MAX_VALUES = 10_000;
const FIGURES = ['min', 'max', 'mean', 'sum'] as const;
const step = z.strictObject({
  do: z.literal('line_figures').describe('A figure of each row or of each column of a tensor with two axes'),
  tensor: tensorRef,
  figure: z.enum(FIGURES),
  each: z.enum(['row', 'column']),
});
type LineFigures = z.output<typeof step>;

const figure: Parser<LineFigures['figure']> = alt(
  map(word('MINIMUM'), () => 'min' as const),
  map(word('MAXIMUM'), () => 'max' as const),
  map(word('MEAN'), () => 'mean' as const),
  map(word('SUM'), () => 'sum' as const),
);
const axis: Parser<LineFigures['each']> = alt(
  map(word('ROW'), () => 'row' as const),
  map(word('COLUMN'), () => 'column' as const),
);
const every = token((each) =>
  /^(?:each|every|per|by|along|jede[rns]?|pro|cada|por|chaque|par|每)$/i.test(each.text) ? true : undefined,
);
const eachLine = map(seq(opt(word('OF')), every, axis), ([, , found]) => found);
const asked = many(word('SHOW', 'WHAT', 'IS'));
const clause: Parser<readonly LineFigures[]> = alt(
  // "sum of each column in X", "mean per row of X"
  map(seq(asked, figure, eachLine, word('OF'), tensorRefs), ([, found, line, , ref]) => stepOf(ref, found, line)),
  // "mean of X per row"
  map(seq(asked, figure, opt(word('OF')), tensorRefs, eachLine), ([, found, , ref, line]) => stepOf(ref, found, line)),
  // "column sums of X"
  map(seq(asked, axis, figure, word('OF'), tensorRefs), ([, line, found, , ref]) => stepOf(ref, found, line)),
);

function stepOf(tensor: TensorRef, found: LineFigures['figure'], each: LineFigures['each']): LineFigures[] {
  return [{ do: 'line_figures', tensor, figure: found, each }];
}

export const lineFigures: RequestKind<LineFigures> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, figure: wanted, each }, context) {
    const part = await context.one(tensor);
    const shape = context.shapeOf(part);
    const title = context.titleOf(part);
    const none = (why: string) => ({ sentence: `${title} ${why}.`, tensors: [part.item] });
    if (shape.length !== 2) return none(`has the shape ${shapeText(shape)}, so it has no rows and columns`);
    if (countOf(shape) > MAX_VALUES) return none(`has ${countOf(shape)} values, too many for this; give a slice of it`);
    const rows = (await context.values(part, MAX_VALUES)).values as unknown[][];
    if (rows.flat().some((value) => typeof value !== 'number'))
      return none('holds values that are not finite numbers, so rows and columns are not added up');
    const numbers = rows as number[][];
    const lines = each === 'row' ? numbers : (numbers[0] ?? []).map((_, i) => numbers.map((row) => row[i]!));
    const name = { min: 'minimum', max: 'maximum', mean: 'mean', sum: 'sum' }[wanted];
    const found = lines.map((line) => figureOf(line, wanted));
    return { sentence: `${title}: ${name} of each ${each} [${found.join(', ')}].`, tensors: [part.item] };
  },
};

function figureOf(line: readonly number[], wanted: LineFigures['figure']): number {
  if (wanted === 'min') return Math.min(...line);
  if (wanted === 'max') return Math.max(...line);
  const sum = line.reduce((total, value) => total + value, 0);
  return wanted === 'sum' ? sum : sum / line.length;
}
