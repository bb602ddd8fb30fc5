import { z } from 'zod';
import type { ModelItem } from '../../../backends/interface.ts';
import { name } from '../../../domain/plan.ts';
import type { Concept } from '../../../domain/prompt/english.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { modelName } from '../../../domain/prompt/refs.ts';
import type { RequestKind } from '../kind.ts';
import { contentOf } from '../look/show.ts';

const TRAITS = ['code', 'weights', 'python', 'javascript'] as const;
type Trait = (typeof TRAITS)[number];
const step = z.strictObject({
  do: z.literal('check_model').describe('Whether a model has code or weights, or code in a language: yes or no'),
  model: name,
  has: z.enum(TRAITS),
});
export type CheckModel = z.output<typeof step>;

const CONCEPTS: readonly (readonly [Concept, Trait])[] = [
  ['CODE', 'code'],
  ['WEIGHTS', 'weights'],
  ['PYTHON', 'python'],
  ['JAVASCRIPT', 'javascript'],
];
const trait: Parser<Trait> = alt(
  ...CONCEPTS.map(([concept, each]) =>
    map(seq(opt(word('ALL')), word(concept), opt(word('CODE', 'MODEL'))), () => each),
  ),
);
const linking = many(word('HAVE', 'IS', 'CONTAINS', 'REL', 'OF', 'EXIST'));
const clause: Parser<readonly CheckModel[]> = alt(
  // "does M have weights", "is M a Python model"
  map(
    seq(word('DOES', 'IS', 'HAVE', 'CONTAINS'), modelName, linking, trait, many(word('HAVE', 'CONTAINS'))),
    ([, model, , has]) => [{ do: 'check_model' as const, model, has }],
  ),
  // "M 有权重吗"
  map(seq(modelName, many(word('OF')), many(word('HAVE', 'EXIST', 'CONTAINS', 'IS'), 1), trait), ([model, , , has]) => [
    { do: 'check_model' as const, model, has },
  ]),
);

export const checkModel: RequestKind<CheckModel> = {
  step,
  clause,
  async check({ model }, context) {
    return (await context.find(model, 'model')) ? undefined : `Model '${model}' not found.`;
  },
  async perform({ model, has }, context) {
    const found = await context.model(model);
    const holds = isSo(found, has);
    return { sentence: `${holds ? 'Yes' : 'No'}: model '${model}' has ${contentOf(found)}.`, tensors: [], holds };
  },
};

function isSo({ code, weights, language, onnx }: ModelItem, has: Trait): boolean {
  if (has === 'code') return (code ?? onnx) !== undefined;
  if (has === 'weights') return (weights ?? onnx) !== undefined;
  return code !== undefined && language === has;
}
