import { z } from 'zod';
import type { ModelItem } from '../../../backends/interface.ts';
import { type Binding, bindInputs } from '../../../domain/models/bind-inputs.ts';
import { name, type RunInput, runInput } from '../../../domain/plan.ts';
import { inputNotFound, invalidInputs, weightsOnly } from '../../../errors.ts';
import { inferenceText, isRunnable, keysOf } from '../../model-keys.ts';
import type { Part, PlanContext } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';
import { runClause } from './run-grammar.ts';

const step = z.strictObject({
  do: z.literal('run').describe('Runs a model on tensors and stores what it returns'),
  model: name,
  inputs: z.array(runInput),
  outputs: z.array(name).optional().describe('Names for what it returns, one for each run'),
});
export type Run = z.output<typeof step>;

export const run: RequestKind<Run> = {
  step,
  clause: runClause,
  async check(wanted, context) {
    const { model } = wanted;
    const found = await context.find(model, 'model');
    if (!found || 'values' in found) return `Model '${model}' not found.`;
    if (!isRunnable(found)) return weightsOnly(model).message;
    const { inputs, outputs = [] } = withNames(found, context.withParams(wanted));
    if (inputs.length === 0) throw invalidInputs(`No input tensor is named for inference with model '${model}'.`);
    for (const input of inputs) {
      if ('all' in input) {
        const problem = await context.checkFilter('tensors', input.all.filter, input.all.order);
        if (problem) return problem;
      } else if ('name' in input.tensor && !(await context.isThere(input.tensor.name)))
        throw inputNotFound(input.tensor.name);
      else await context.checkRefs([input.tensor]);
    }
    // Where each input is one tensor, what goes where is known before anything is done.
    const isSingle = inputs.every((input) => 'tensor' in input && !('step' in input.tensor && !input.tensor.one));
    if (isSingle) {
      const given = (inputs as Extract<RunInput, { tensor: unknown }>[]).map(({ tensor, key }) => ({
        name: 'name' in tensor ? tensor.name : `the result of step ${tensor.step}`,
        key,
      }));
      const runs = bind(found, given);
      if (outputs.length > 0 && outputs.length !== runs.length) throw wrongOutputs(runs.length, outputs.length);
    }
    return undefined;
  },
  async perform(wanted, context) {
    const { model } = wanted;
    const found = await context.model(model);
    const { inputs, outputs = [] } = withNames(found, context.withParams(wanted));
    const runs = await bindingsOf(found, inputs, context);
    if (runs.length === 0)
      return { sentence: `No tensors found matching your criteria. Model '${model}' was not run.`, tensors: [] };
    if (outputs.length > 0 && outputs.length !== runs.length) throw wrongOutputs(runs.length, outputs.length);
    const lines: string[] = [];
    const tensors = [];
    for (const [i, { bound, isByOrder }] of runs.entries()) {
      const parts = Object.fromEntries(Object.entries(bound).map(([key, given]) => [key, given.part]));
      const stored = await context.run(found, parts, outputs[i]);
      const isChosen = runs.length > 1 || inputs.some((input) => 'all' in input);
      lines.push(`${inferenceText(found.name, stored)}${inputsText(parts, isByOrder, isChosen)}`);
      tensors.push(...stored);
      context.progress(lines);
    }
    return { sentence: lines.join('\n'), tensors };
  },
};

/** "Run M on T as O" names the output where M has one input of another name, since there is nothing else to tell apart. */
function withNames(model: ModelItem, wanted: Run): Run {
  const keys = keysOf(model);
  const [only, ...others] = [...(keys?.required ?? []), ...(keys?.optional ?? [])];
  const [input, ...more] = wanted.inputs;
  if (only === undefined || others.length > 0 || more.length > 0 || wanted.outputs || !input || 'all' in input)
    return wanted;
  return input.key === undefined || input.key === only || input.isKey
    ? wanted
    : { ...wanted, inputs: [{ tensor: input.tensor }], outputs: [input.key] };
}

/** What a run was given, where the request alone does not tell. */
function inputsText(parts: Readonly<Record<string, Part>>, isByOrder: boolean, isChosen: boolean): string {
  const given = Object.entries(parts);
  if (given.length === 1) {
    const { item, slice, fromZero } = given[0]![1];
    if (fromZero) return ` Input: '${item.name}'[${slice}] (counted from 0).`;
    return isChosen ? ` Input: '${item.name}'.` : '';
  }
  const texts = given.map(([key, { item }]) => (key === item.name ? `'${key}'` : `${key} = '${item.name}'`));
  return ` Inputs${isByOrder ? ' by order' : ''}: ${texts.join(', ')}.`;
}

interface Given {
  readonly name: string;
  readonly key?: string | undefined;
  readonly part: Part;
}

async function bindingsOf(
  model: ModelItem,
  inputs: readonly RunInput[],
  context: PlanContext,
): Promise<readonly Binding<Given>[]> {
  const groups: Given[][] = [];
  for (const input of inputs) {
    if ('all' in input) {
      const { filter, order, limit } = input.all;
      const { items } = await context.select('tensors', filter, { order, limit: limit ?? context.maxRuns + 1 });
      if (limit !== undefined && items.length > limit)
        throw invalidInputs(
          `${items.length - limit + 1} tensors share the last place: ${items
            .slice(limit - 1)
            .map((item) => `'${item.name}'`)
            .join(', ')}; name the one that is meant.`,
        );
      groups.push(items.flatMap((item) => ('values' in item ? [{ name: item.name, part: { item } }] : [])));
    } else {
      const parts = await context.resolve(input.tensor);
      const given = 'name' in input.tensor ? input.tensor.name : undefined;
      groups.push(parts.map((part) => ({ name: given ?? part.item.name, key: input.key, part })));
    }
  }
  const isEach = inputs.length === 1 && ('all' in inputs[0]! || groups[0]!.length !== 1);
  if (!isEach && groups.some((group) => group.length !== 1))
    throw invalidInputs(
      `Several inputs of model '${model.name}' cannot be lists of tensors; name one tensor for each.`,
    );
  const runs = isEach ? groups[0]!.flatMap((given) => bind(model, [given])) : bind(model, groups.flat());
  if (runs.length > context.maxRuns)
    throw invalidInputs(`Model '${model.name}' would be run more than ${context.maxRuns} times; name fewer tensors.`);
  return runs;
}

function bind<G extends { name: string; key?: string | undefined }>(
  model: ModelItem,
  given: readonly G[],
): readonly Binding<G>[] {
  const bound = bindInputs(keysOf(model), given, model.weights !== undefined);
  if (bound.problem === undefined) return bound.runs;
  const sentence = bound.keys.map((key, i) => `tensor '${given[i]?.name ?? '…'}' as ${key}`).join(' and ');
  throw invalidInputs(
    `${bound.problem} Model '${model.name}' reads the ${bound.keys.length === 1 ? 'input' : 'inputs'} ${bound.keys.map((key) => `'${key}'`).join(', ')}. Say which tensor is which, as in: Run model '${model.name}' on ${sentence}`,
  );
}

function wrongOutputs(runs: number, names: number) {
  return invalidInputs(
    `The model would be run ${runs} time(s), but ${names} output name(s) are given; name one for each run, or none.`,
  );
}
