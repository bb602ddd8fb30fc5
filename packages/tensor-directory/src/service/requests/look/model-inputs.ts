import { z } from 'zod';
import type { OnnxModel } from '../../../backends/interface.ts';
import { expectedText } from '../../../domain/onnx/expected-inputs.ts';
import { name } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { modelName } from '../../../domain/prompt/refs.ts';
import { keysOf } from '../../model-keys.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('model_inputs').describe('The keys that a model reads its inputs by, or its code'),
  model: name,
  show: z.enum(['inputs', 'code']).default('inputs'),
});
type ModelInputs = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS', 'HAVE'));
const clause: Parser<readonly ModelInputs[]> = alt(
  map(
    seq(asked, word('INPUTS'), many(word('DOES', 'OF', 'IS', 'NEED_INPUT')), modelName, many(word('NEED_INPUT'))),
    ([, , , model]) => stepOf(model, 'inputs'),
  ),
  map(
    seq(word('WHAT'), many(word('DOES')), modelName, word('NEED_INPUT'), opt(word('AS')), word('INPUTS')),
    ([, , model]) => stepOf(model, 'inputs'),
  ),
  map(
    seq(
      modelName,
      many(word('OF')),
      many(word('NEED_INPUT')),
      many(word('WHAT')),
      word('INPUTS'),
      many(word('IS', 'WHAT')),
    ),
    ([model]) => stepOf(model, 'inputs'),
  ),
  // "how many inputs does M take": their names tell
  map(
    seq(word('HOW_MANY'), word('INPUTS'), many(word('DOES', 'OF', 'IS', 'HAVE')), modelName, many(word('NEED_INPUT'))),
    ([, , , model]) => stepOf(model, 'inputs'),
  ),
  map(seq(modelName, many(word('OF', 'NEED_INPUT')), word('HOW_MANY'), word('INPUTS')), ([model]) =>
    stepOf(model, 'inputs'),
  ),
  map(seq(word('HOW_TO_USE'), modelName), ([, model]) => stepOf(model, 'inputs')),
  map(seq(modelName, word('HOW_TO_USE')), ([model]) => stepOf(model, 'inputs')),
  map(seq(asked, word('CODE'), word('OF'), modelName), ([, , , model]) => stepOf(model, 'code')),
  map(seq(asked, modelName, many(word('OF')), word('CODE'), many(word('IS', 'WHAT'))), ([, model]) =>
    stepOf(model, 'code'),
  ),
);

function stepOf(model: string, show: ModelInputs['show']): ModelInputs[] {
  return [{ do: 'model_inputs', model, show }];
}

export const modelInputs: RequestKind<ModelInputs> = {
  step,
  clause,
  async check({ model }, context) {
    return (await context.find(model, 'model')) ? undefined : `Model '${model}' not found.`;
  },
  async perform({ model, show }, context) {
    const found = await context.model(model);
    if (found.onnx) return { sentence: onnxSentence(model, found.onnx, show), tensors: [] };
    if (found.code === undefined) return { sentence: `Model '${model}' has no code, only weights.`, tensors: [] };
    if (show === 'code')
      return { sentence: `Code of model '${model}' (${found.language}):\n${found.code}`, tensors: [] };
    const keys = keysOf(found);
    const all = keys && [...keys.required, ...keys.optional];
    const sentence =
      !all || all.length === 0
        ? `The inputs of model '${model}' cannot be told from its code; get_model returns the code.`
        : `Model '${model}' reads the ${all.length === 1 ? 'input' : 'inputs'} ${all.map((key) => `'${key}'`).join(', ')}.`;
    return { sentence, tensors: [] };
  },
};

function onnxSentence(model: string, onnx: OnnxModel, show: ModelInputs['show']): string {
  if (show === 'code') return `Model '${model}' is an ONNX graph; get_model returns its operators.`;
  return `Model '${model}' expects ${expectedText(onnx)}.`;
}
