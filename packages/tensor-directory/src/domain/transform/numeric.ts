import { type ComputedDtype, computedDtype, countOf, FACTS, type Tensor } from '@atoll-mcp/formats/dtypes';
import { halfToNumber, numberToHalf } from '@atoll-mcp/formats/narrow-floats';
import { allocate, asBytes, elementsOf, toDoubles } from '../values/elements.ts';

/** A transformation that cannot be done, in words for the user. */
export class TransformFault extends Error {
  override readonly name = 'TransformFault';
}

/** Numbers to compute with: doubles that were rounded to their dtype. */
export interface Numeric {
  readonly dtype: ComputedDtype;
  readonly shape: readonly number[];
  readonly values: Float64Array;
  /** A number in an expression takes the dtype of what it meets, as in NumPy. */
  readonly isLiteral?: boolean;
}

/** Each takes eight bytes while it is computed with, and there are several copies. */
export const MAX_COUNT = 2 ** 26;

export function numericOf({ dtype, shape, data }: Tensor): Numeric {
  if (countOf(shape) > MAX_COUNT)
    throw new TransformFault(
      `${countOf(shape)} values are too many to compute with; at most ${MAX_COUNT}. Slice it first`,
    );
  const elements = elementsOf(dtype, data);
  if (elements instanceof BigInt64Array || elements instanceof BigUint64Array) {
    for (const value of elements)
      if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER))
        throw new TransformFault(`${dtype} holds ${value}; beyond 2^53 nothing is computed, since it would be rounded`);
  }
  const doubles = toDoubles(dtype, data);
  return { dtype: computedDtype(dtype), shape, values: doubles };
}

export function tensorOf({ dtype, shape, values }: Numeric): Tensor {
  if (dtype === 'float64') return { dtype, shape, data: asBytes(values) };
  const out = allocate(dtype, values.length);
  if (out instanceof BigInt64Array || out instanceof BigUint64Array)
    for (let i = 0; i < values.length; i++) out[i] = BigInt(values[i]!);
  else if (dtype === 'float16') for (let i = 0; i < values.length; i++) out[i] = numberToHalf(values[i]!);
  else for (let i = 0; i < values.length; i++) out[i] = values[i]!;
  return { dtype, shape, data: asBytes(out) };
}

/** Rounds in place to what the dtype holds. Integers that do not fit are refused, where NumPy would wrap them around. */
export function rounded(dtype: ComputedDtype, shape: readonly number[], values: Float64Array): Numeric {
  if (dtype === 'float32') for (let i = 0; i < values.length; i++) values[i] = Math.fround(values[i]!);
  else if (dtype === 'float16')
    for (let i = 0; i < values.length; i++) values[i] = halfToNumber(numberToHalf(values[i]!));
  else if (dtype !== 'float64') checkWhole(dtype, values);
  return { dtype, shape, values };
}

function checkWhole(dtype: ComputedDtype, values: Float64Array): void {
  const { min, max, bytes } = FACTS[dtype];
  const [low, high] = bytes === 8 ? [Math.max(min, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER] : [min, max];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value >= low && value <= high && value === Math.trunc(value)) {
      // A negative zero is an integer like any other.
      if (value === 0) values[i] = 0;
      continue;
    }
    throw new TransformFault(`a result is ${value}, which does not fit ${dtype}; cast to a wider dtype first`);
  }
}

const FLOATS: readonly ComputedDtype[] = ['float16', 'float32', 'float64'];
const SIGNED: readonly ComputedDtype[] = ['int8', 'int16', 'int32', 'int64'];
const UNSIGNED: readonly ComputedDtype[] = ['uint8', 'uint16', 'uint32', 'uint64'];

/** NumPy's promotion, but for two bools, which are added up as integers here. */
export function promoted(a: ComputedDtype, b: ComputedDtype): ComputedDtype {
  if (a === 'bool' && b === 'bool') return 'int64';
  if (a === b || b === 'bool') return a;
  if (a === 'bool') return b;
  const [x, y] = [FACTS[a], FACTS[b]];
  if (x.kind === 'float' && y.kind === 'float') return x.bytes > y.bytes ? a : b;
  if (x.kind === 'float' || y.kind === 'float') {
    const [float, int] = x.kind === 'float' ? [x, y] : [y, x];
    const needed = int.bytes === 1 ? 2 : int.bytes === 2 ? 4 : 8;
    return FLOATS.find((dtype) => FACTS[dtype].bytes >= Math.max(needed, float.bytes))!;
  }
  const isSigned = (dtype: ComputedDtype) => SIGNED.includes(dtype);
  if (isSigned(a) === isSigned(b)) return x.bytes > y.bytes ? a : b;
  const [signed, unsigned] = isSigned(a) ? [x, y] : [y, x];
  if (signed.bytes > unsigned.bytes) return isSigned(a) ? a : b;
  return SIGNED.find((dtype) => FACTS[dtype].bytes > unsigned.bytes) ?? 'float64';
}

/** The dtype of an elementwise result. */
export function commonDtype(a: Numeric, b: Numeric): ComputedDtype {
  if (a.isLiteral === b.isLiteral) return promoted(a.dtype, b.dtype);
  const [literal, array] = a.isLiteral ? [a, b] : [b, a];
  const isFloat = FACTS[array.dtype].kind === 'float';
  if (isFloat || literal.dtype !== 'float64') return array.dtype === 'bool' ? literal.dtype : array.dtype;
  return 'float64';
}

/** What sums and products of many values are kept in. */
export function sumDtype(dtype: ComputedDtype): ComputedDtype {
  if (FACTS[dtype].kind === 'float') return dtype;
  return UNSIGNED.includes(dtype) ? 'uint64' : 'int64';
}

/** Functions such as sqrt and mean: floats keep their type, all others become float64. */
export function floatDtype(dtype: ComputedDtype): ComputedDtype {
  return FACTS[dtype].kind === 'float' ? dtype : 'float64';
}
