import { type ComputedDtype, countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { commonDtype, type Numeric, rounded, TransformFault } from './numeric.ts';

type Binary = (a: number, b: number) => number;

/** Shapes as NumPy broadcasts them: from the last axis on, sizes are equal or one of them is 1. */
export function broadcastShape(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const [x, y] = [a.at(-i) ?? 1, b.at(-i) ?? 1];
    if (x !== y && x !== 1 && y !== 1)
      throw new TransformFault(`the shapes ${shapeText(a)} and ${shapeText(b)} do not fit together`);
    out.unshift(x === 1 ? y : x);
  }
  return out;
}

/** In `place`, which may be the values of an operand of the same size. */
export function combined(
  a: Numeric,
  b: Numeric,
  work: Binary,
  dtype: ComputedDtype = commonDtype(a, b),
  { maxCount = Infinity, place }: { readonly maxCount?: number; readonly place?: Float64Array | undefined } = {},
): Numeric {
  const shape = broadcastShape(a.shape, b.shape);
  const count = countOf(shape);
  if (count > maxCount) throw tooLarge(shape);
  const out = place ?? new Float64Array(count);
  const [x, y] = [a.values, b.values];
  if (x.length === count && y.length === count) for (let i = 0; i < count; i++) out[i] = work(x[i]!, y[i]!);
  else if (x.length === count && y.length === 1) for (let i = 0; i < count; i++) out[i] = work(x[i]!, y[0]!);
  else if (y.length === count && x.length === 1) for (let i = 0; i < count; i++) out[i] = work(x[0]!, y[i]!);
  else {
    const [left, right] = [indexer(a.shape, shape), indexer(b.shape, shape)];
    for (let i = 0; i < count; i++) out[i] = work(x[left(i)]!, y[right(i)]!);
  }
  const result = rounded(dtype, shape, out);
  return a.isLiteral && b.isLiteral ? { ...result, isLiteral: true } : result;
}

const tooLarge = (shape: readonly number[]) =>
  new TransformFault(`a result of shape ${shapeText(shape)} is too large to compute with. Slice it first`);

export function mapped(
  a: Numeric,
  work: (value: number) => number,
  dtype: ComputedDtype,
  place?: Float64Array,
): Numeric {
  const out = place ?? new Float64Array(a.values.length);
  for (let i = 0; i < out.length; i++) out[i] = work(a.values[i]!);
  const result = rounded(dtype, a.shape, out);
  return a.isLiteral ? { ...result, isLiteral: true } : result;
}

/** Where the value for a place of the larger shape lies in the smaller one. */
function indexer(from: readonly number[], to: readonly number[]): (place: number) => number {
  const offset = to.length - from.length;
  const strides = to.map((_, axis) => {
    const size = from[axis - offset] ?? 1;
    return size === 1 ? 0 : countOf(from.slice(axis - offset + 1));
  });
  return (place) => {
    let rest = place;
    let at = 0;
    for (let axis = to.length - 1; axis >= 0; axis--) {
      at += (rest % to[axis]!) * strides[axis]!;
      rest = Math.floor(rest / to[axis]!);
    }
    return at;
  };
}

/** How many values a product has, at most. */
export function productCount({ shape: a }: Numeric, { shape: b }: Numeric): number {
  const outer = (shape: readonly number[]) => countOf(shape.slice(0, -2));
  const rows = a.length > 1 ? a.at(-2)! : 1;
  const columns = b.length > 1 ? b.at(-1)! : 1;
  return Math.max(outer(a), outer(b)) * rows * columns;
}

/** Matrices, vectors, and stacks of matrices with the same leading axes. */
export function matmul(a: Numeric, b: Numeric, maxCount: number): Numeric {
  const left = a.shape.length === 1 ? [1, ...a.shape] : a.shape;
  const right = b.shape.length === 1 ? [...b.shape, 1] : b.shape;
  const [rows, inner] = [left.at(-2)!, left.at(-1)!];
  const columns = right.at(-1)!;
  const stacks = [left.slice(0, -2), right.slice(0, -2)] as const;
  const isFlat = stacks.some((axes) => axes.length === 0);
  if (a.shape.length === 0 || b.shape.length === 0)
    throw new TransformFault('matmul of a single number; use * instead');
  if (inner !== right.at(-2) || !(isFlat || shapeText(stacks[0]) === shapeText(stacks[1])))
    throw new TransformFault(
      `matmul of the shapes ${shapeText(a.shape)} and ${shapeText(b.shape)}: the inner sizes differ`,
    );
  const outer = stacks[0].length > 0 ? stacks[0] : stacks[1];
  const count = countOf(outer);
  const shape = [...outer, ...(a.shape.length === 1 ? [] : [rows]), ...(b.shape.length === 1 ? [] : [columns])];
  if (countOf(shape) > maxCount) throw tooLarge(shape);
  const out = new Float64Array(count * rows * columns);
  for (let stack = 0; stack < count; stack++) {
    const x = stacks[0].length > 0 ? stack * rows * inner : 0;
    const y = stacks[1].length > 0 ? stack * inner * columns : 0;
    for (let row = 0; row < rows; row++) {
      const target = (stack * rows + row) * columns;
      for (let k = 0; k < inner; k++) {
        const factor = a.values[x + row * inner + k]!;
        const line = y + k * columns;
        for (let column = 0; column < columns; column++) out[target + column]! += factor * b.values[line + column]!;
      }
    }
  }
  return rounded(commonDtype(a, b), shape, out);
}
