import { type ComputedDtype, countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { axisOf } from './arrange.ts';
import { floatDtype, type Numeric, rounded, sumDtype, TransformFault } from './numeric.ts';
import type { Reduction } from './steps.ts';

interface ReduceOptions {
  readonly axis?: number | undefined;
  readonly keepdims?: boolean | undefined;
}

/** One value for each line along an axis, or for all values. Figures are those of NumPy; std and var of the population. */
export function reduced(input: Numeric, kind: Reduction, { axis: given, keepdims }: ReduceOptions): Numeric {
  const { values } = input;
  const axis = given === undefined ? undefined : axisOf(given, input.shape);
  const length = axis === undefined ? values.length : input.shape[axis]!;
  const inner = axis === undefined ? 1 : countOf(input.shape.slice(axis + 1));
  const outer = axis === undefined ? 1 : countOf(input.shape.slice(0, axis));
  const needsValues = !['sum', 'prod', 'any', 'all'].includes(kind);
  if (length === 0 && needsValues)
    throw new TransformFault(`${kind} of no values: the shape is ${shapeText(input.shape)}`);
  const out = new Float64Array(outer * inner);
  const line = LINES[kind];
  for (let row = 0; row < outer; row++)
    for (let column = 0; column < inner; column++)
      out[row * inner + column] = line(values, row * length * inner + column, inner, length);
  const shape =
    axis === undefined
      ? keepdims
        ? input.shape.map(() => 1)
        : []
      : keepdims
        ? input.shape.with(axis, 1)
        : input.shape.toSpliced(axis, 1);
  return rounded(dtypeOf(input.dtype, kind), shape, out);
}

/** How many values are left. */
export function reducedCount({ shape }: Numeric, axis: number | undefined): number {
  return axis === undefined ? 1 : countOf(shape.toSpliced(axisOf(axis, shape), 1));
}

function dtypeOf(dtype: ComputedDtype, kind: Reduction): ComputedDtype {
  if (kind === 'argmin' || kind === 'argmax') return 'int64';
  if (kind === 'any' || kind === 'all') return 'bool';
  if (kind === 'min' || kind === 'max') return dtype;
  return kind === 'sum' || kind === 'prod' ? sumDtype(dtype) : floatDtype(dtype);
}

type Line = (values: Float64Array, start: number, step: number, count: number) => number;

const LINES: Readonly<Record<Reduction, Line>> = {
  sum,
  mean: (values, start, step, count) => sum(values, start, step, count) / count,
  prod: (values, start, step, count) => {
    let product = 1;
    for (let i = 0; i < count; i++) product *= values[start + i * step]!;
    return product;
  },
  min: (values, start, step, count) => values[start + extreme(values, start, step, count, -1) * step]!,
  max: (values, start, step, count) => values[start + extreme(values, start, step, count, 1) * step]!,
  argmin: (values, start, step, count) => extreme(values, start, step, count, -1),
  argmax: (values, start, step, count) => extreme(values, start, step, count, 1),
  var: variance,
  std: (values, start, step, count) => Math.sqrt(variance(values, start, step, count)),
  any: (values, start, step, count) => {
    for (let i = 0; i < count; i++) if (values[start + i * step] !== 0) return 1;
    return 0;
  },
  all: (values, start, step, count) => {
    for (let i = 0; i < count; i++) if (values[start + i * step] === 0) return 0;
    return 1;
  },
};

/** Kahan's sum, so that long lines lose no digits. */
function sum(values: Float64Array, start: number, step: number, count: number): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < count; i++) {
    const value = values[start + i * step]! - lost;
    const next = total + value;
    lost = next - total - value;
    total = next;
    // An infinity leaves nothing to correct.
    if (Number.isNaN(lost)) lost = 0;
  }
  return total;
}

function variance(values: Float64Array, start: number, step: number, count: number): number {
  const mean = sum(values, start, step, count) / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (values[start + i * step]! - mean) ** 2;
  return squares / count;
}

/** Where the smallest or largest value is; the first NaN, where there is one. */
function extreme(values: Float64Array, start: number, step: number, count: number, sign: 1 | -1): number {
  let best = 0;
  for (let i = 0; i < count; i++) {
    const value = values[start + i * step]!;
    if (Number.isNaN(value)) return i;
    if (sign * value > sign * values[start + best * step]!) best = i;
  }
  return best;
}
