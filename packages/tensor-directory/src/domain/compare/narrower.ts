import { type Dtype, FACTS } from '@atoll-mcp/formats/dtypes';
import type { Elements } from '../values/elements.ts';

/** What decides which smaller type would hold the same values. Gives up as soon as none would. */
export class Spread {
  min: number | bigint = Number.POSITIVE_INFINITY;
  max: number | bigint = Number.NEGATIVE_INFINITY;
  isWhole = true;
  fitsFloat32 = true;
  fitsFloat16 = true;
  readonly #bits = new Uint32Array(2);
  readonly #double = new Float64Array(this.#bits.buffer);

  add(elements: Elements): void {
    if (!this.isWhole && !this.fitsFloat32 && !this.fitsFloat16) return;
    if (elements instanceof Float32Array || elements instanceof Float64Array) this.#addFloats(elements);
    else {
      for (const value of elements) {
        if (value < this.min) this.min = value;
        if (value > this.max) this.max = value;
      }
    }
  }

  #addFloats(elements: Float32Array | Float64Array): void {
    for (let i = 0; i < elements.length; i++) {
      const value = elements[i]!;
      if (this.fitsFloat32 && !Object.is(Math.fround(value), value)) this.fitsFloat32 = false;
      if (this.fitsFloat16 && !this.#isHalf(value)) this.fitsFloat16 = false;
      // A negative zero has no place among integers.
      if (this.isWhole && (value !== Math.trunc(value) || Object.is(value, -0))) this.isWhole = false;
      if (value < this.min) this.min = value;
      if (value > this.max) this.max = value;
      if (!this.isWhole && !this.fitsFloat32 && !this.fitsFloat16) return;
    }
  }

  /** Ten bits of fraction, and an exponent from -14 to 15. */
  #isHalf(value: number): boolean {
    if (value === 0 || value - value !== 0) return true;
    this.#double[0] = value;
    const exponent = ((this.#bits[1]! >>> 20) & 0x7ff) - 1023;
    return this.#bits[0] === 0 && (this.#bits[1]! & 0x3ff) === 0 && exponent >= -14 && exponent <= 15;
  }
}

const WHOLE: readonly Dtype[] = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32'];

/** The smallest type that holds exactly the same values, if it is smaller than theirs. */
export function narrowerDtype(dtype: Dtype, spread: Spread): Dtype | undefined {
  const { bytes, kind } = FACTS[dtype];
  if (bytes === 1) return undefined;
  const isBounded = Number.isFinite(Number(spread.min)) && Number.isFinite(Number(spread.max));
  const candidates: Dtype[] = [];
  if (isBounded && (kind === 'int' || spread.isWhole))
    candidates.push(...WHOLE.filter((type) => spread.min >= FACTS[type].min && spread.max <= FACTS[type].max));
  if (dtype === 'float64' && spread.fitsFloat32) candidates.push('float32');
  if ((dtype === 'float64' || dtype === 'float32') && spread.fitsFloat16) candidates.push('float16');
  return candidates.filter((type) => FACTS[type].bytes < bytes).sort((a, b) => FACTS[a].bytes - FACTS[b].bytes)[0];
}
