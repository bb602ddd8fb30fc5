import { z } from 'zod';
import { name } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { modelName, tensorName } from '../../../domain/prompt/refs.ts';
import { isRunnable, keysOf } from '../../model-keys.ts';
import type { RequestKind } from '../kind.ts';
import { contentOf } from '../look/show.ts';

const step = z.strictObject({
  do: z.literal('can_run').describe('Whether a model can be run, and what inputs it reads, without running it'),
  model: name,
  tensor: name.optional().describe('A tensor that it would be run on'),
});
type CanRun = z.output<typeof step>;

const stepOf = (model: string, tensor?: string): CanRun[] => [{ do: 'can_run', model, ...(tensor && { tensor }) }];
const asking = many(word('SHOW', 'IS', 'DOES', 'COMMA', 'IF', 'COULD'));
const clause: Parser<readonly CanRun[]> = alt(
  // "can I run M", "is M runnable"
  map(seq(word('RUNNABLE'), modelName, opt(word('RUNNABLE'))), ([, model]) => stepOf(model)),
  map(seq(word('IS'), modelName, word('RUNNABLE')), ([, model]) => stepOf(model)),
  // "can M be run on T", "would M work on T"
  map(seq(word('RUNNABLE'), modelName, word('ON'), tensorName), ([, model, , tensor]) => stepOf(model, tensor)),
  map(seq(word('IS'), modelName, word('RUNNABLE'), word('ON'), tensorName), ([, model, , , tensor]) =>
    stepOf(model, tensor),
  ),
  map(seq(asking, modelName, word('WORKS_ON'), tensorName), ([, model, , tensor]) => stepOf(model, tensor), 0.5),
  map(
    seq(asking, modelName, word('RUNNABLE'), word('ON'), tensorName),
    ([, model, , , tensor]) => stepOf(model, tensor),
    0.5,
  ),
);

export const canRun: RequestKind<CanRun> = {
  step,
  clause,
  async check({ model, tensor }, context) {
    if (!(await context.find(model, 'model'))) return `Model '${model}' not found.`;
    return tensor === undefined ? undefined : context.checkRefs([{ name: tensor }]);
  },
  async perform({ model, tensor }, context) {
    const found = await context.model(model);
    if (!isRunnable(found))
      return {
        sentence: `No: model '${model}' has no code to run. It has ${contentOf(found)}.`,
        tensors: [],
        holds: false,
      };
    const keys = keysOf(found);
    const all = keys && [...keys.required, ...keys.optional];
    const reads = all?.length
      ? `; it reads the ${all.length === 1 ? 'input' : 'inputs'} ${all.map((key) => `'${key}'`).join(', ')}`
      : '';
    if (tensor === undefined)
      return { sentence: `Yes: model '${model}' has ${contentOf(found)}${reads}.`, tensors: [], holds: true };
    const one = await context.one({ name: tensor });
    const given = `${context.titleOf(one).replace(/^T/, 't')} is there`;
    const isFew = keys !== undefined && keys.required.length > 1;
    const verdict = isFew ? 'Not with this tensor alone' : 'It can be tried';
    return {
      sentence: `${verdict}: model '${model}' has ${contentOf(found)}${reads}; ${given}. Nothing was run: whether it works with these values is only known by running it.`,
      tensors: [one.item],
    };
  },
};
