import type { Elements } from '../values/elements.ts';

/** One of the places where two tensors are farthest apart. */
export interface Spot {
  /** In row-major order. */
  readonly index: number;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
}

/** How far two tensors of the same shape are apart. What has no value, such as the cosine of zeros, is `null`. */
export interface DifferenceFigures {
  readonly count: number;
  /** Values that are not equal. NaN equals NaN. */
  readonly differing: number;
  /** Values that are farther apart than the tolerance, or infinite or NaN on one side only. */
  readonly beyond: number;
  readonly maxAbs: number | null;
  readonly meanAbs: number | null;
  /** Relative to the larger of the two magnitudes: 0 for equal values, 2 at most. */
  readonly maxRel: number | null;
  readonly meanRel: number | null;
  readonly cosine: number | null;
  /** Length of the difference divided by the length of `a`. */
  readonly relativeNorm: number | null;
  readonly newNan: number;
  readonly newInf: number;
  readonly goneNan: number;
  readonly goneInf: number;
  readonly largest: readonly Spot[];
  /** How many differences have a size from 2^e up to 2^(e+1), by e. */
  readonly sizes: ReadonlyMap<number, number>;
}

const SPOTS = 5;
const EXPONENTS = 2048;
const BIAS = 1023;
/** Where the sign and exponent of a double are among its two words. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Collects the figures in one pass, a stretch of both tensors at a time. */
export class Difference {
  readonly #tolerance: number;
  readonly #double = new Float64Array(1);
  readonly #words = new Uint32Array(this.#double.buffer);
  readonly #sizes = new Float64Array(EXPONENTS);
  readonly #spots: Spot[] = [];
  /** Only what is larger than this is one of the largest differences. */
  #bar = 0;
  #count = 0;
  #finite = 0;
  #differing = 0;
  #beyond = 0;
  #maxAbs = 0;
  #maxRel = 0;
  #sumAbs = 0;
  #sumRel = 0;
  #squares = 0;
  #dot = 0;
  #aa = 0;
  #bb = 0;
  #newNan = 0;
  #newInf = 0;
  #goneNan = 0;
  #goneInf = 0;

  constructor(tolerance = 0) {
    this.#tolerance = tolerance;
  }

  /** Both stretches begin at the same place and have the same length. */
  add(a: Elements, b: Elements): void {
    const isPlain = isFloats(a) && isFloats(b);
    if (isPlain) this.#addFloats(a, b);
    else this.#addAny(a, b);
    this.#count += a.length;
  }

  figures(): DifferenceFigures {
    const some = this.#finite > 0;
    const lengths = Math.sqrt(this.#aa) * Math.sqrt(this.#bb);
    return {
      count: this.#count,
      differing: this.#differing,
      beyond: this.#beyond,
      maxAbs: some ? finite(this.#maxAbs) : null,
      meanAbs: some ? finite(this.#sumAbs / this.#finite) : null,
      maxRel: some ? this.#maxRel : null,
      meanRel: some ? this.#sumRel / this.#finite : null,
      cosine: lengths > 0 ? finite(Math.min(1, Math.max(-1, this.#dot / lengths))) : null,
      relativeNorm: this.#aa > 0 ? finite(Math.sqrt(this.#squares) / Math.sqrt(this.#aa)) : null,
      newNan: this.#newNan,
      newInf: this.#newInf,
      goneNan: this.#goneNan,
      goneInf: this.#goneInf,
      largest: this.#spots,
      sizes: new Map(
        [...this.#sizes.entries()].flatMap(([place, count]) => (count > 0 ? [[place - BIAS, count] as const] : [])),
      ),
    };
  }

  /** Nearly all values of a checkpoint come through here, so it is one loop with everything it needs in local variables. */
  #addFloats(a: Float32Array | Float64Array, b: Float32Array | Float64Array): void {
    const { length } = a;
    const double = this.#double;
    const words = this.#words;
    const sizes = this.#sizes;
    const tolerance = this.#tolerance;
    let sumAbs = 0;
    let sumRel = 0;
    let maxRel = this.#maxRel;
    let squares = 0;
    let dot = 0;
    let aa = 0;
    let bb = 0;
    let odd = 0;
    let equal = 0;
    let beyond = 0;
    let bar = this.#bar;
    let maxAbs = this.#maxAbs;
    for (let i = 0; i < length; i++) {
      const x = a[i]!;
      const y = b[i]!;
      const change = y - x;
      // A NaN or an infinity on either side, or a difference that is too large for a double.
      if (change - change !== 0) {
        this.#odd(i, x, y);
        bar = this.#bar;
        odd++;
        continue;
      }
      dot += x * y;
      aa += x * x;
      bb += y * y;
      if (change === 0) {
        equal++;
        continue;
      }
      const size = Math.abs(change);
      const share = size / Math.max(Math.abs(x), Math.abs(y));
      sumAbs += size;
      sumRel += share;
      squares += size * size;
      if (share > maxRel) maxRel = share;
      if (size > maxAbs) maxAbs = size;
      if (size > tolerance) beyond++;
      double[0] = size;
      sizes[words[HIGH]! >>> 20]!++;
      if (size > bar) {
        this.#insert({ index: this.#count + i, a: x, b: y, difference: size });
        bar = this.#bar;
      }
    }
    this.#finite += length - odd;
    this.#differing += length - odd - equal;
    this.#beyond += beyond;
    this.#maxRel = maxRel;
    this.#maxAbs = maxAbs;
    this.#sumAbs += sumAbs;
    this.#sumRel += sumRel;
    this.#squares += squares;
    this.#dot += dot;
    this.#aa += aa;
    this.#bb += bb;
  }

  /** Integers, and 64-bit ones exactly: as doubles, 2^53 and 2^53 + 1 are the same. */
  #addAny(a: Elements, b: Elements): void {
    for (let i = 0; i < a.length; i++) {
      const left = a[i]!;
      const right = b[i]!;
      const x = Number(left);
      const y = Number(right);
      // JavaScript compares a bigint with a number by their exact values.
      const isEqual = !(left < right) && !(left > right) && !Number.isNaN(x) && !Number.isNaN(y);
      const exact = typeof left === 'bigint' && typeof right === 'bigint' ? Number(right - left) : y - x;
      const change = isEqual && Number.isFinite(x) ? 0 : exact;
      if (change - change !== 0) {
        this.#odd(i, x, y);
        continue;
      }
      this.#finite++;
      this.#dot += x * y;
      this.#aa += x * x;
      this.#bb += y * y;
      if (isEqual) continue;
      const size = Math.abs(change);
      const share = size / Math.max(Math.abs(x), Math.abs(y));
      this.#sumAbs += size;
      this.#squares += size * size;
      this.#sumRel += share;
      this.#maxRel = Math.max(this.#maxRel, share);
      this.#note(i, x, y, size);
    }
  }

  #note(i: number, a: number, b: number, size: number): void {
    this.#differing++;
    if (size > this.#tolerance) this.#beyond++;
    if (size > this.#maxAbs) this.#maxAbs = size;
    this.#double[0] = size;
    this.#sizes[this.#words[HIGH]! >>> 20]!++;
    if (size > this.#bar) this.#insert({ index: this.#count + i, a, b, difference: size });
  }

  #odd(i: number, a: number, b: number): void {
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return;
    this.#differing++;
    this.#beyond++;
    if (Number.isNaN(b) && !Number.isNaN(a)) this.#newNan++;
    if (Number.isNaN(a) && !Number.isNaN(b)) this.#goneNan++;
    if (isInfinite(b) && !isInfinite(a)) this.#newInf++;
    if (isInfinite(a) && !isInfinite(b)) this.#goneInf++;
    if (this.#bar < Number.POSITIVE_INFINITY)
      this.#insert({ index: this.#count + i, a, b, difference: Number.POSITIVE_INFINITY });
  }

  #insert(spot: Spot): void {
    let at = this.#spots.length;
    while (at > 0 && this.#spots[at - 1]!.difference < spot.difference) at--;
    this.#spots.splice(at, 0, spot);
    if (this.#spots.length > SPOTS) this.#spots.pop();
    if (this.#spots.length === SPOTS) this.#bar = this.#spots[SPOTS - 1]!.difference;
  }
}

function isFloats(elements: Elements): elements is Float32Array | Float64Array {
  return elements instanceof Float32Array || elements instanceof Float64Array;
}

const isInfinite = (value: number) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
const finite = (value: number) => (Number.isFinite(value) ? value : null);
