import type { Dtype } from './dtypes.ts';

/** Turns bits into numbers where JavaScript has no array that does; `undefined` where it has. */
export function decoderOf(dtype: Dtype): ((bits: number) => number) | undefined {
  return DECODERS[dtype];
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

/** A bfloat16 is the upper half of a float32. */
const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);
function bfloatToNumber(bits: number): number {
  singleBits[0] = bits << 16;
  return single[0]!;
}

/** Four bits of exponent and three of fraction. It has no infinities, and one NaN of each sign. */
function e4m3ToNumber(bits: number): number {
  const sign = bits & 0x80 ? -1 : 1;
  const exponent = (bits >> 3) & 0xf;
  const fraction = bits & 7;
  if (exponent === 0xf && fraction === 7) return Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -9 : sign * (1 + fraction / 8) * 2 ** (exponent - 7);
}

const DECODERS: Partial<Record<Dtype, (bits: number) => number>> = {
  float16: halfToNumber,
  bfloat16: bfloatToNumber,
  float8_e4m3fn: e4m3ToNumber,
  // The upper half of a float16.
  float8_e5m2: (bits) => halfToNumber(bits << 8),
};
