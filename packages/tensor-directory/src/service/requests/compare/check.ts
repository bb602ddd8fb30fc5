import { bytesOf, countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { type Filter, filter } from '../../../domain/filter.ts';
import { tensorRef } from '../../../domain/plan.ts';
import { fits, merge, property } from '../../../domain/prompt/criteria.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { bounds, size } from '../../../domain/prompt/tensor-traits.ts';
import { countedFigure, isSome, measuredFigure } from '../../../domain/prompt/value-traits.ts';
import type { Part, PlanContext } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';
import { originText } from '../look/origin.ts';
import { countText, figuresText } from '../measure/figures.ts';

const step = z.strictObject({
  do: z.literal('check').describe('Whether a tensor meets a description: yes or no'),
  tensor: tensorRef,
  filter,
});
export type Check = z.output<typeof step>;

const linking = many(word('REL', 'AND', 'COMMA', 'HAVE', 'IS', 'CONTAINS', 'TENSOR', 'BUT'));
export const properties = map(
  seq(property, many(map(seq(linking, property), ([, found]) => found)), opt(word('TENSOR'))),
  ([first, rest]) => {
    const found = merge([first, ...rest]);
    // "Does X start with 4" may ask for its first value.
    const isOpen = [found?.nameStarts, found?.nameEnds, found?.nameContains].some((each) =>
      /^[-+]?[\d.]+$/.test(each ?? ''),
    );
    return found && !isOpen && !found.words && fits(found, 'tensors') ? found : undefined;
  },
);
const clause: Parser<readonly Check[]> = alt(
  // "is X a float32 tensor", "does X contain negative values"
  map(
    seq(
      many(word('IS', 'DOES', 'HAVE', 'CONTAINS', 'SHOW'), 1),
      tensorRefs,
      linking,
      properties,
      many(word('HAVE', 'IS')),
    ),
    ([, tensor, , found]) => [{ do: 'check' as const, tensor, filter: found }],
  ),
  // "X 是 float32 张量吗", "X 中有负数吗"
  map(
    seq(tensorRefs, many(word('OF')), many(word('IS', 'HAVE', 'EXIST', 'CONTAINS', 'TENSOR'), 1), properties),
    ([tensor, , , found]) => [{ do: 'check' as const, tensor, filter: found }],
  ),
  // "are there negative values in X"
  map(
    seq(many(word('SHOW')), word('EXIST', 'HAVE', 'IS'), opt(word('EXIST')), properties, word('OF'), tensorRefs),
    ([, , , found, , tensor]) => (found.figures ? [{ do: 'check' as const, tensor, filter: found }] : undefined),
  ),
  // "any negative values in X"
  map(seq(word('ALL'), countedFigure, word('OF', 'EXIST'), tensorRefs), ([said, figure, , tensor]) =>
    isSome(said) ? [{ do: 'check' as const, tensor, filter: { figures: [{ figure, range: { min: 1 } }] } }] : undefined,
  ),
  // "are all values of X zero"
  map(
    seq(
      many(word('IS', 'SHOW'), 1),
      word('ALL'),
      opt(word('OF')),
      word('ELEMENTS', 'VALUES'),
      word('OF'),
      tensorRefs,
      countedFigure,
    ),
    ([, said, , , , tensor, figure]) =>
      /^(?:all|every|each|alle|jede|todos|todas|tous|toutes)/i.test(said.text)
        ? [{ do: 'check' as const, tensor, filter: { figures: [{ figure, range: {}, every: true }] } }]
        : undefined,
  ),
  // "is the maximum of X greater than 30", "X 的最大值大于 30 吗"
  map(seq(many(word('IS', 'SHOW'), 1), measuredFigure, word('OF'), tensorRefs, size), ([, figure, , tensor, range]) => [
    { do: 'check' as const, tensor, filter: { figures: [{ figure, range }] } },
  ]),
  // "la media de X es mayor que 2"
  map(seq(measuredFigure, word('OF'), tensorRefs, many(word('IS'), 1), bounds), ([figure, , tensor, , range]) => [
    { do: 'check' as const, tensor, filter: { figures: [{ figure, range }] } },
  ]),
  map(seq(tensorRefs, word('OF'), measuredFigure, many(word('IS')), bounds), ([tensor, , figure, , range]) => [
    { do: 'check' as const, tensor, filter: { figures: [{ figure, range }] } },
  ]),
);

export const check: RequestKind<Check> = {
  step,
  clause,
  async check({ tensor, filter: wanted }, context) {
    return (await context.checkRefs([tensor])) ?? (await context.checkFilter('tensors', wanted, undefined));
  },
  async perform({ tensor, filter: wanted }, context) {
    const parts = await context.resolve(tensor);
    const lines: string[] = [];
    for (const part of parts) {
      const holds = await context.meets(part, wanted);
      lines.push(`${holds ? 'Yes' : 'No'}: ${await factsText(part, wanted, context)}.`);
    }
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item), holds: lines.every(isYes) };
  },
};

export function isYes(sentence: string): boolean {
  return sentence.startsWith('Yes');
}

/** What is the case, as far as the question goes. */
async function factsText(part: Part, wanted: Filter, context: PlanContext): Promise<string> {
  const { dtype, shape } = part.item.values;
  const title = context.titleOf(part).replace(/^T/, 't');
  const facts: string[] = [];
  if (wanted.dtypes) facts.push(`has dtype ${dtype}`);
  if (wanted.shape) facts.push(`has shape ${shapeText(shape)}`);
  if (wanted.ndim) facts.push(`has ${shape.length} dimension(s)`);
  if (wanted.elements) facts.push(`has ${countOf(shape)} element(s)`);
  if (wanted.bytes) facts.push(`takes ${bytesOf(dtype, shape)} byte(s)`);
  if ((wanted.tag ?? wanted.anyTag ?? wanted.allTags ?? wanted.isTagged) !== undefined)
    facts.push(tagsText(part.item.tags));
  if (wanted.createdAfter || wanted.createdBefore) facts.push(`was stored on ${part.item.createdAt}`);
  if (wanted.madeBy || wanted.madeFrom) facts.push(await originText(part.item, context));
  if (wanted.text) facts.push(`is described as '${part.item.description}'`);
  for (const { figure } of wanted.figures ?? []) {
    const figures = await context.figures(part, [figure]);
    const isCount = ['negatives', 'positives', 'zeros', 'nans', 'infinities', 'trues', 'falses', 'nonzeros'].includes(
      figure,
    );
    facts.push(`has ${isCount ? countText(figures, figure) : figuresText(figures, [figure])}`);
  }
  return `${title} ${facts.length > 0 ? facts.join(', ') : 'has this name'}`;
}

export function tagsText(tags: readonly string[]): string {
  return tags.length === 0 ? 'has no tags' : `has the tags ${tags.map((tag) => `'${tag}'`).join(', ')}`;
}
