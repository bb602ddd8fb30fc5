import { countOf, FACTS, MAX_DIMENSIONS, shapeText, type Tensor } from '@atoll-mcp/formats/dtypes';
import { planReads } from '../values/read-plan.ts';
import { pickedShape, resolveSlice, SliceFault } from '../values/slice.ts';
import { TransformFault } from './numeric.ts';

/** What moves values around and changes none of them: any dtype, bit by bit. */

export function sliced({ dtype, shape, data }: Tensor, text: string): Tensor {
  try {
    const picks = resolveSlice(text, shape);
    const size = FACTS[dtype].bytes;
    const out = new Uint8Array(countOf(picks.map(({ count }) => count)) * size);
    for (const { offset, pieces } of planReads(shape, picks, size))
      for (const { from, to, length } of pieces) out.set(data.subarray(offset + from, offset + from + length), to);
    return { dtype, shape: pickedShape(picks), data: out };
  } catch (error) {
    throw error instanceof SliceFault ? new TransformFault(error.message) : error;
  }
}

export function reshaped({ dtype, shape, data }: Tensor, wanted: readonly number[]): Tensor {
  const count = countOf(shape);
  const open = wanted.filter((size) => size === -1).length;
  const rest = countOf(wanted.filter((size) => size !== -1));
  const full = wanted.map((size) => (size === -1 ? count / rest : size));
  if (open > 1 || countOf(full) !== count || !full.every(Number.isInteger))
    throw new TransformFault(
      `${count} value(s) of shape ${shapeText(shape)} cannot be reshaped to ${shapeText(wanted)}`,
    );
  return { dtype, shape: full, data };
}

export function transposed({ dtype, shape, data }: Tensor, given: readonly number[] | undefined): Tensor {
  const axes = given?.map((axis) => axisOf(axis, shape)) ?? shape.map((_, i) => shape.length - 1 - i);
  if (axes.length !== shape.length || new Set(axes).size !== axes.length)
    throw new TransformFault(
      `axes must name each of the ${shape.length} axes once, as in ${JSON.stringify([...shape.keys()])}`,
    );
  const size = FACTS[dtype].bytes;
  const strides = shape.map((_, axis) => countOf(shape.slice(axis + 1)));
  const target = axes.map((axis) => shape[axis]!);
  const steps = axes.map((axis) => strides[axis]! * size);
  const out = new Uint8Array(data.byteLength);
  const place = new Array<number>(target.length).fill(0);
  let from = 0;
  for (let to = 0; to < out.length; to += size) {
    for (let byte = 0; byte < size; byte++) out[to + byte] = data[from + byte]!;
    for (let axis = target.length - 1; axis >= 0; axis--) {
      place[axis]!++;
      from += steps[axis]!;
      if (place[axis]! < target[axis]!) break;
      from -= steps[axis]! * target[axis]!;
      place[axis] = 0;
    }
  }
  return { dtype, shape: target, data: out };
}

/** All have the same dtype by now. */
export function concatenated(tensors: readonly Tensor[], given: number): Tensor {
  const [first] = tensors as [Tensor, ...Tensor[]];
  if (first.shape.length === 0)
    throw new TransformFault('a single number has no axis to be put together along; stack it');
  const axis = axisOf(given, first.shape);
  for (const { shape } of tensors) {
    const fits = shape.length === first.shape.length && shape.every((size, i) => i === axis || size === first.shape[i]);
    if (!fits)
      throw new TransformFault(
        `the shapes ${shapeText(first.shape)} and ${shapeText(shape)} differ in more than axis ${axis}`,
      );
  }
  const inner = countOf(first.shape.slice(axis + 1)) * FACTS[first.dtype].bytes;
  const outer = countOf(first.shape.slice(0, axis));
  const total = tensors.reduce((sum, { shape }) => sum + shape[axis]!, 0);
  const out = new Uint8Array(outer * total * inner);
  let to = 0;
  for (let row = 0; row < outer; row++) {
    for (const { shape, data } of tensors) {
      const length = shape[axis]! * inner;
      out.set(data.subarray(row * length, (row + 1) * length), to);
      to += length;
    }
  }
  return { dtype: first.dtype, shape: first.shape.with(axis, total), data: out };
}

export function stacked(tensors: readonly Tensor[], given: number): Tensor {
  const { shape } = tensors[0]!;
  const wrong = tensors.find((each) => shapeText(each.shape) !== shapeText(shape));
  if (wrong)
    throw new TransformFault(
      `the shapes ${shapeText(shape)} and ${shapeText(wrong.shape)} differ, so they cannot be stacked`,
    );
  if (shape.length === MAX_DIMENSIONS) throw new TransformFault(`at most ${MAX_DIMENSIONS} dimensions are allowed`);
  const axis = axisOf(given, [...shape, 0]);
  const apart = tensors.map((each) => ({ ...each, shape: shape.toSpliced(axis, 0, 1) }));
  return concatenated(apart, axis);
}

/** An axis counted from the front, where it may have been counted from the end. */
export function axisOf(axis: number, shape: readonly number[]): number {
  if (axis >= shape.length || axis < -shape.length)
    throw new TransformFault(`axis ${axis} is out of bounds for ${shape.length} dimension(s)`);
  return axis < 0 ? axis + shape.length : axis;
}
