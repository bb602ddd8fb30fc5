import { type Dtype, shapeText } from '@atoll-mcp/formats/dtypes';
import type { InputKeys } from '../models/input-keys.ts';
import type { OnnxFacts, OnnxValue } from './onnx-model.ts';
import { isRunnableType } from './onnx-types.ts';

/** The names that a model's inputs have, as the code of other models has keys. */
export function onnxInputKeys({ inputs }: Pick<OnnxFacts, 'inputs'>): InputKeys {
  const named = (optional: boolean) => inputs.filter((input) => (input.optional ?? false) === optional);
  return { required: named(false).map(({ name }) => name), optional: named(true).map(({ name }) => name) };
}

/** As in `float32 (batch, 784)`; a size that may be anything is `?`. */
function typeText({ type, shape }: OnnxValue): string {
  if (!shape) return type;
  const sizes = shape.map((size) => size ?? '?');
  return `${type} (${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})`;
}

/** All required inputs in one line, for whoever has to give them. */
export function expectedText({ inputs }: Pick<OnnxFacts, 'inputs'>): string {
  const required = inputs.filter(({ optional }) => !optional);
  return required.map((input) => `'${input.name}' ${typeText(input)}`).join(', ');
}

interface GivenInput {
  /** The name of the tensor, for the message. */
  readonly tensor: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
}

/** What is wrong with the tensors for this model; `undefined` when nothing is. */
export function inputProblem(facts: OnnxFacts, given: Readonly<Record<string, GivenInput>>): string | undefined {
  const unusable = facts.inputs.find(({ type, optional }) => !optional && !isRunnableType(type));
  if (unusable) return `its input '${unusable.name}' is a ${unusable.type}, which cannot be given as a tensor`;
  const unknown = Object.keys(given).find((name) => !facts.inputs.some((input) => input.name === name));
  if (unknown !== undefined) return `it has no input '${unknown}'`;
  for (const input of facts.inputs) {
    const tensor = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
    if (!tensor && !input.optional) return `its input '${input.name}' is missing`;
    const isFitting = !tensor || (tensor.dtype === input.type && fits(tensor.shape, input.shape));
    if (!isFitting)
      return `its input '${input.name}' must be ${typeText(input)}, and tensor '${tensor.tensor}' is ${tensor.dtype} ${shapeText(tensor.shape)}`;
  }
  return undefined;
}

function fits(shape: readonly number[], expected: OnnxValue['shape']): boolean {
  if (!expected) return true;
  return (
    shape.length === expected.length && expected.every((size, axis) => typeof size !== 'number' || size === shape[axis])
  );
}

export function customOperatorsText(operators: readonly string[]): string {
  const shown = operators.slice(0, 10).join(', ');
  return `The model has custom operators, which the runtime does not know, so it cannot be run: ${shown}${operators.length > 10 ? ', …' : ''}.`;
}
