import {
  bytesOf,
  type ComputedDtype,
  computedDtype,
  countOf,
  FACTS,
  shapeText,
  type Tensor,
} from '@atoll-mcp/formats/dtypes';
import { concatenated, reshaped, sliced, stacked, transposed } from './arrange.ts';
import { matmul } from './elementwise.ts';
import { evaluate, normalised } from './evaluate.ts';
import { MAX_COUNT, type Numeric, numericOf, promoted, rounded, TransformFault, tensorOf } from './numeric.ts';
import { reduced } from './reduce.ts';
import { othersOf, type Step } from './steps.ts';
import { MAX_LIVE } from './workspace.ts';

/** Carries out the steps in order. A fault names the step. */
export function transform(
  start: Tensor,
  steps: readonly Step[],
  others: Readonly<Record<string, Tensor>>,
  maxBytes: number,
): Tensor {
  let tensor = start;
  for (const [i, step] of steps.entries()) {
    try {
      tensor = apply(tensor, step, (name) => others[name]!, maxBytes);
      if (bytesOf(tensor.dtype, tensor.shape) > maxBytes)
        throw new TransformFault(
          `the result of shape ${shapeText(tensor.shape)} takes more than the allowed ${maxBytes} bytes`,
        );
    } catch (error) {
      if (error instanceof RangeError) throw new TransformFault(`step ${i + 1} (${step.do}): it needs too much memory`);
      throw error instanceof TransformFault
        ? new TransformFault(`step ${i + 1} (${step.do}): ${error.message}`)
        : error;
    }
  }
  return tensor;
}

function apply(tensor: Tensor, step: Step, find: (name: string) => Tensor, maxBytes: number): Tensor {
  const maxCount = Math.min(maxBytes / 8, MAX_COUNT);
  switch (step.do) {
    case 'slice':
      return sliced(tensor, step.slice);
    case 'reshape':
      return reshaped(tensor, step.shape);
    case 'transpose':
      return transposed(tensor, step.axes);
    case 'cast':
      return cast(tensor, step.dtype);
    case 'normalise':
      return tensorOf(normalised(numericOf(tensor), step.method, step.axis));
    case 'concatenate':
      return concatenated(alike([tensor, ...step.with.map(find)], maxBytes), step.axis);
    case 'stack':
      return stacked(alike([tensor, ...step.with.map(find)], maxBytes), step.axis);
    case 'reduce':
      return tensorOf(reduced(numericOf(tensor), step.function, step));
    case 'matmul':
      return tensorOf(matmul(numericOf(tensor), numericOf(find(step.with)), maxCount));
    case 'expression': {
      const others = Object.entries(othersOf(step)).map(([key, name]) => [key, find(name)] as const);
      const inputs = [tensor, ...new Set(others.map(([, each]) => each))];
      const count = inputs.reduce((sum, { shape }) => sum + countOf(shape), 0);
      if (count > MAX_LIVE)
        throw new TransformFault(`its inputs have ${count} values; at most ${MAX_LIVE} are computed with at one time`);
      const numerics = new Map(inputs.map((each) => [each, numericOf(each)]));
      const names: Record<string, Numeric> = { a: numerics.get(tensor)! };
      for (const [key, each] of others) names[key] = numerics.get(each)!;
      return tensorOf(evaluate(step.expression, names, maxCount));
    }
  }
}

/** Nothing is bent: a value that the dtype does not hold is refused. Rounding to fewer digits is what a float cast is for. */
function cast(tensor: Tensor, dtype: ComputedDtype): Tensor {
  if (tensor.dtype === dtype) return tensor;
  const isFloat = FACTS[dtype].kind === 'float';
  const input = isFloat ? looseNumeric(tensor) : numericOf(tensor);
  const values = input.values.slice();
  if (dtype === 'bool') for (let i = 0; i < values.length; i++) values[i] = values[i] === 0 ? 0 : 1;
  const result = rounded(dtype, tensor.shape, values);
  const lost = isFloat
    ? result.values.findIndex((value, i) => !Number.isFinite(value) && Number.isFinite(input.values[i]!))
    : -1;
  if (lost >= 0) throw new TransformFault(`${input.values[lost]} does not fit ${dtype}`);
  return tensorOf(result);
}

/** A cast to a float may round integers: that is what it is asked for. */
function looseNumeric(tensor: Tensor): Numeric {
  if (tensor.dtype !== 'int64' && tensor.dtype !== 'uint64') return numericOf(tensor);
  const longs = tensor.dtype === 'int64' ? BigInt64Array : BigUint64Array;
  const aligned = new Uint8Array(tensor.data);
  const values = Float64Array.from(new longs(aligned.buffer), Number);
  return { dtype: tensor.dtype, shape: tensor.shape, values };
}

function alike(tensors: readonly Tensor[], maxBytes: number): Tensor[] {
  const isSame = tensors.every((each) => each.dtype === tensors[0]!.dtype);
  const computed = tensors.map((each) => computedDtype(each.dtype)).reduce((a, b) => (a === b ? a : promoted(a, b)));
  const total = tensors.reduce((sum, { dtype, shape }) => sum + bytesOf(isSame ? dtype : computed, shape), 0);
  if (total > maxBytes) throw new TransformFault(`the result takes ${total} bytes; at most ${maxBytes} are allowed`);
  return isSame ? [...tensors] : tensors.map((each) => cast(each, computed));
}
