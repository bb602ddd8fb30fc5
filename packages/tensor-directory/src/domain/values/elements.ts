import { type ComputedTensor, computedDtype, type Dtype, FACTS, type Tensor } from '@atoll-mcp/formats/dtypes';
import { decoderOf } from '@atoll-mcp/formats/narrow-floats';

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
  // These are kept as their bits; see `decoderOf`.
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float8_e4m3fn: Uint8Array,
  float8_e5m2: Uint8Array,
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

/** Values to look at as numbers, not turned into doubles but for halves and the like, which JavaScript has no array of. */
export function comparable(dtype: Dtype, bytes: Uint8Array): Elements {
  return decoderOf(dtype) ? toDoubles(dtype, bytes) : elementsOf(dtype, bytes);
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
  const decode = decoderOf(dtype);
  if (decode) {
    for (let i = 0; i < doubles.length; i++) doubles[i] = decode(elements[i] as number);
  } else {
    for (let i = 0; i < doubles.length; i++) doubles[i] = Number(elements[i]);
  }
  return doubles;
}

/** The same values in a dtype that is computed with. */
export function computable(tensor: Tensor): ComputedTensor {
  const dtype = computedDtype(tensor.dtype);
  if (dtype === tensor.dtype) return { ...tensor, dtype };
  return { dtype, shape: tensor.shape, data: asBytes(Float32Array.from(toDoubles(tensor.dtype, tensor.data))) };
}
