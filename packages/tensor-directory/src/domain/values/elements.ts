import { type Dtype, FACTS } from './dtypes.ts';

export type Elements =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

const ARRAYS = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  // Half floats are kept as their bits; see `halfToNumber`.
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** The bytes as a typed array, without a copy where the address allows it. */
export function elementsOf(dtype: Dtype, bytes: Uint8Array): Elements {
  const size = FACTS[dtype].bytes;
  // Not slice(): that of a Buffer is a view of the same place.
  const aligned = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  const length = Math.floor(aligned.byteLength / size);
  return new ARRAYS[dtype](aligned.buffer as ArrayBuffer, aligned.byteOffset, length);
}

export function allocate(dtype: Dtype, count: number): Elements {
  return new ARRAYS[dtype](count);
}

export function asBytes(elements: Elements): Uint8Array {
  return new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
}

/** Every element as a double; 64-bit integers beyond 2^53 are rounded. For figures and pictures. */
export function toDoubles(dtype: Dtype, bytes: Uint8Array): Float64Array {
  const elements = elementsOf(dtype, bytes);
  if (elements instanceof Float64Array) return elements;
  const doubles = new Float64Array(elements.length);
  if (dtype === 'float16') {
    for (let i = 0; i < doubles.length; i++) doubles[i] = halfToNumber(elements[i] as number);
  } else {
    for (let i = 0; i < doubles.length; i++) doubles[i] = Number(elements[i]);
  }
  return doubles;
}

export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Rounds to the nearest half, ties to even, as NumPy does. */
export function numberToHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  // Halfway between the largest half and the next power of two.
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundHalfEven(size * 2 ** 24);
  const exponent = exponentOf(size);
  const fraction = roundHalfEven((size / 2 ** exponent - 1) * 1024);
  // A fraction of 1024 carries into the exponent by itself.
  return sign | (((exponent + 15) << 10) + fraction);
}

function exponentOf(size: number): number {
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent -= 1;
  if (2 ** (exponent + 1) <= size) exponent += 1;
  return exponent;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
  return floor;
}

/** A bfloat16 is the upper half of a float32, so nothing is lost. */
export function widenBfloat(data: Uint8Array): Uint8Array {
  const wide = new Uint16Array(data.byteLength & ~1);
  for (let i = 0; i + 1 < data.byteLength; i += 2) wide[i + 1] = data[i]! | (data[i + 1]! << 8);
  return asBytes(wide);
}
