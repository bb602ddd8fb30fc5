import { type ComputedDtype, FACTS } from '@atoll-mcp/formats/dtypes';
import { numberToHalf } from '@atoll-mcp/formats/narrow-floats';
import { allocate, asBytes } from './elements.ts';

/** Builds the error for a value that a dtype cannot hold; `fitting` says what it can. */
export type Misfit = (index: number, value: number | bigint, fitting: string) => Error;

/**
 * The doubles as elements of a dtype. Nothing is bent: a fraction, an overflow or a rounded integer is a misfit.
 * `exact` holds integers that a double cannot, by index. May reuse the buffer of `values`.
 */
export function castDoubles(
  values: Float64Array,
  dtype: ComputedDtype,
  exact: ReadonlyMap<number, bigint>,
  misfit: Misfit,
): Uint8Array {
  if (dtype === 'float64') return asBytes(values);
  if (dtype === 'int64' || dtype === 'uint64') return asLongs(values, dtype === 'uint64', exact, misfit);
  const { kind, min, max } = FACTS[dtype];
  const out = allocate(dtype, values.length) as Float64Array;
  for (let i = 0; i < out.length; i++) {
    const value = values[i]!;
    if (kind === 'float') {
      if (Number.isFinite(value) && overflows(value, dtype)) throw misfit(i, value, `numbers from ${min} to ${max}`);
      out[i] = dtype === 'float16' ? numberToHalf(value) : value;
    } else {
      if (!(value >= min && value <= max && value === Math.trunc(value))) {
        throw misfit(i, value, kind === 'bool' ? 'true, false, 0 and 1' : `whole numbers from ${min} to ${max}`);
      }
      out[i] = value;
    }
  }
  return asBytes(out);
}

function overflows(value: number, dtype: ComputedDtype): boolean {
  // From 65520 on, a half rounds to infinity.
  return dtype === 'float16' ? Math.abs(value) >= 65520 : !Number.isFinite(Math.fround(value));
}

/** Turns the doubles into 64-bit integers where they lie: each takes the place of its own double. */
function asLongs(
  values: Float64Array,
  unsigned: boolean,
  exact: ReadonlyMap<number, bigint>,
  misfit: Misfit,
): Uint8Array {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (exact.size > 0 && exact.has(i)) continue;
    if (value !== Math.trunc(value) || (unsigned && value < 0)) {
      throw misfit(i, value, unsigned ? 'whole numbers from 0' : 'whole numbers');
    }
    if (!Number.isSafeInteger(value)) {
      throw misfit(
        i,
        value,
        'numbers up to 2^53, and larger ones as text ("9007199254740993"), since JSON rounds them',
      );
    }
    const high = Math.floor(value / 2 ** 32);
    words[2 * i] = value - high * 2 ** 32;
    words[2 * i + 1] = high;
  }
  const longs = unsigned
    ? new BigUint64Array(values.buffer, values.byteOffset, values.length)
    : new BigInt64Array(values.buffer, values.byteOffset, values.length);
  for (const [i, value] of exact) {
    longs[i] = unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
    if (longs[i] !== value) {
      throw misfit(i, value, unsigned ? 'whole numbers from 0 to 2^64 - 1' : 'whole numbers from -2^63 to 2^63 - 1');
    }
  }
  return asBytes(longs);
}
