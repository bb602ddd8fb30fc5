/** What is computed with, by NumPy's names. */
export const DTYPES = [
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
] as const;
export type ComputedDtype = (typeof DTYPES)[number];

/** Stored as they are, by the names of ml_dtypes, and shown and computed with as float32, which holds each of their values. */
const NARROW_DTYPES = ['bfloat16', 'float8_e4m3fn', 'float8_e5m2'] as const;

/** What a tensor may hold. */
export const STORED_DTYPES = [...DTYPES, ...NARROW_DTYPES] as const;
export type Dtype = (typeof STORED_DTYPES)[number];

/** Row-major and little-endian, as it lies in a file. A scalar has the shape `[]`. */
export interface Tensor {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  /** Complex numbers: the last axis, of two, holds the real and the imaginary part. */
  readonly isComplex?: true;
}

/** A tensor of a file, with its name there; left out where a file holds one array without a name. */
export interface NamedTensor {
  readonly key?: string;
  readonly tensor: Tensor;
}

export interface ComputedTensor extends Tensor {
  readonly dtype: ComputedDtype;
}

/** A tensor on its way to a file: its bytes in order, as often as they are asked for. */
export interface TensorSource {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  pieces(): Iterable<Uint8Array>;
}

export const MAX_DIMENSIONS = 32;

interface DtypeFacts {
  readonly bytes: number;
  /** As NumPy writes it in a file header; it reads the names of ml_dtypes once that is imported. */
  readonly descr: string;
  readonly kind: 'bool' | 'int' | 'float';
  readonly min: number;
  readonly max: number;
}

const int = (bytes: number, signed: boolean): DtypeFacts => ({
  bytes,
  descr: `${bytes === 1 ? '|' : '<'}${signed ? 'i' : 'u'}${bytes}`,
  kind: 'int',
  min: signed ? -(2 ** (bytes * 8 - 1)) : 0,
  // For 64 bits this is the first value that does not fit; such sizes are compared as bigints.
  max: 2 ** (bytes * 8 - (signed ? 1 : 0)) - (bytes === 8 ? 0 : 1),
});
const float = (bytes: number, max: number): DtypeFacts => ({
  bytes,
  descr: `<f${bytes}`,
  kind: 'float',
  min: -max,
  max,
});

export const FACTS: Readonly<Record<Dtype, DtypeFacts>> = {
  bool: { bytes: 1, descr: '|b1', kind: 'bool', min: 0, max: 1 },
  int8: int(1, true),
  int16: int(2, true),
  int32: int(4, true),
  int64: int(8, true),
  uint8: int(1, false),
  uint16: int(2, false),
  uint32: int(4, false),
  uint64: int(8, false),
  float16: float(2, 65504),
  float32: float(4, 3.4028234663852886e38),
  float64: float(8, Number.MAX_VALUE),
  bfloat16: { ...float(2, 3.3895313892515355e38), descr: 'bfloat16' },
  float8_e4m3fn: { ...float(1, 448), descr: 'float8_e4m3fn' },
  float8_e5m2: { ...float(1, 57344), descr: 'float8_e5m2' },
};

export function isDtype(text: unknown): text is Dtype {
  return (STORED_DTYPES as readonly unknown[]).includes(text);
}

export function isComputed(dtype: unknown): dtype is ComputedDtype {
  return (DTYPES as readonly unknown[]).includes(dtype);
}

/** What values of a dtype are computed as. */
export function computedDtype(dtype: Dtype): ComputedDtype {
  return isComputed(dtype) ? dtype : 'float32';
}

export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

export function bytesOf(dtype: Dtype, shape: readonly number[]): number {
  return countOf(shape) * FACTS[dtype].bytes;
}

/** Python's tuple text: `(3, 4)`, `(100,)`, `()`. */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
}

export function parseShapeText(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
