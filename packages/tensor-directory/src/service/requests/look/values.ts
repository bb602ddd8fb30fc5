import { z } from 'zod';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, list, many, map, opt, type Parser, seq, type Token, word } from '../../../domain/prompt/parser.ts';
import { and, asking, PREVIOUS } from '../../../domain/prompt/refs.ts';
import { describedEnd, tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import type { RequestKind } from '../kind.ts';

/** More than this is for get_tensor. */
const MAX_VALUES = 100;

const step = z.strictObject({
  do: z.literal('values').describe('The values of tensors, or of parts of them'),
  tensors: z.array(tensorRef).min(1),
});
type Values = z.output<typeof step>;

const refs = list(
  map(seq(opt(word('OF')), tensorRefs), ([, ref]) => ref),
  and,
);
const parts = map(refs, (found) => (found.every(isPart) ? found : undefined));
const valuesOf = (tensors: readonly TensorRef[]): Values[] => [{ do: 'values', tensors: [...tensors] }];

const clause: Parser<readonly Values[]> = alt(
  map(
    seq(asking, word('VALUES'), many(word('OF', 'EXIST', 'IS')), refs, many(word('HAVE', 'PARTICLE', 'IS'))),
    ([, , , found]) => valuesOf(found),
  ),
  map(seq(asking, refs, many(word('OF')), word('VALUES'), many(word('IS', 'WHAT'))), ([, found]) => valuesOf(found)),
  map(seq(word('DUMP'), many(word('VALUES', 'OF')), refs), ([, , found]) => valuesOf(found)),
  // "what is in X", "was steht in X"
  map(seq(word('WHAT'), many(word('IS', 'EXIST', 'VALUES'), 1), word('OF'), refs), ([, , , found]) => valuesOf(found)),
  map(seq(word('WHAT'), many(word('DOES')), refs, word('VALUES')), ([, , found]) => valuesOf(found)),
  map(seq(word('WHAT'), word('VALUES'), refs), ([, , found]) => valuesOf(found)),
  map(seq(refs, word('VALUES', 'CONTAINS'), word('WHAT')), ([found]) => valuesOf(found)),
  // "what is the result": its values, not how it is stored.
  map(seq(many(word('SHOW', 'WHAT', 'IS', 'HAVE'), 1), word('OUTPUT'), many(word('IS', 'WHAT'))), ([, said]) =>
    valuesOf([previous(said)]),
  ),
  // "show me the resulting values"
  map(
    seq(many(word('SHOW', 'WHAT', 'IS'), 1), word('RESULTING', 'OUTPUT'), word('VALUES'), many(word('IS', 'WHAT'))),
    ([, said]) => valuesOf([previous(said)]),
  ),
  // "… and show me the values"
  map(seq(many(word('SHOW', 'WHAT', 'IS'), 1), word('VALUES'), many(word('IS', 'WHAT', 'PARTICLE'))), () =>
    valuesOf([{ step: PREVIOUS }]),
  ),
  map(seq(asking, parts, many(word('PARTICLE', 'WHAT', 'IS'))), ([, found]) => valuesOf(found)),
  map(seq(asking, describedEnd), ([, found]) => valuesOf([found])),
);

export const values: RequestKind<Values> = {
  step,
  clause,
  check: ({ tensors }, context) => context.checkRefs(tensors),
  async perform({ tensors }, context) {
    const found = (await Promise.all(tensors.map((ref) => context.resolve(ref)))).flat();
    const lines: string[] = [];
    for (const part of found) {
      const { values: shown, truncated } = await context.values(part, MAX_VALUES);
      const more = truncated ? ' and more; get_tensor returns them all' : '';
      lines.push(`${context.titleOf(part)} holds ${valuesText(shown)}${more}.`);
    }
    return { sentence: lines.join('\n'), tensors: found.map((part) => part.item) };
  },
};

function previous(said: Token): TensorRef {
  return { step: PREVIOUS, ...(!said.concepts.has('THEM') && { one: true }) };
}

function isPart(ref: TensorRef): boolean {
  return (
    ref.slice !== undefined ||
    ('name' in ref && (ref.first ?? ref.last ?? ref.nth ?? ref.row ?? ref.column) !== undefined)
  );
}

export function valuesText(shown: unknown): string {
  return JSON.stringify(shown).replaceAll(',', ', ').replaceAll('"', '');
}
