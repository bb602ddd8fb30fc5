import { type Dtype, FACTS } from '@atoll-mcp/formats/dtypes';
import type { Elements } from '../values/elements.ts';
import { narrowerDtype, Spread } from './narrower.ts';

export const FINDINGS = [
  'damaged',
  'nan',
  'infinite',
  'large_norm',
  'all_zero',
  'dead_rows',
  'constant',
  'denormal',
  'wide_dtype',
] as const;
type FindingKind = (typeof FINDINGS)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** Values or rows that it concerns. */
  readonly count: number;
  readonly message: string;
}

/** The smallest magnitude that a float type holds with full precision. */
const SMALLEST_NORMAL: Partial<Readonly<Record<Dtype, number>>> = {
  float16: 2 ** -14,
  float32: 2 ** -126,
  float64: 2 ** -1022,
};
/** Weights, gradients and activations that are trained well stay far below this. */
const LARGE_RMS = 1e4;

/** Looks at each value of a tensor once and says what is wrong with them. */
export class Checkup {
  readonly #dtype: Dtype;
  readonly #rowLength: number;
  readonly #rows: number;
  readonly #spread: Spread;
  readonly #denormalBelow: number;
  #count = 0;
  #nans = 0;
  #infinities = 0;
  #zeros = 0;
  #denormals = 0;
  #squares = 0;
  #first: number | undefined;
  #isConstant = true;
  #deadRows = 0;
  #rowHasValue = false;
  #rowFilled = 0;

  constructor(dtype: Dtype, shape: readonly number[]) {
    this.#dtype = dtype;
    this.#rows = shape.length > 1 ? shape[0]! : 0;
    this.#rowLength = shape.length > 1 ? shape.slice(1).reduce((product, size) => product * size, 1) : 0;
    this.#spread = new Spread();
    this.#denormalBelow = SMALLEST_NORMAL[dtype] ?? 0;
  }

  add(elements: Elements): void {
    this.#first ??= Number(elements[0]);
    const { length } = elements;
    for (let i = 0; i < length; i++) {
      const value = Number(elements[i]);
      if (value === 0) this.#zeros++;
      else if (Number.isNaN(value)) this.#nans++;
      else if (value - value !== 0) this.#infinities++;
      else {
        this.#squares += value * value;
        if ((value < 0 ? -value : value) < this.#denormalBelow) this.#denormals++;
      }
      if (value !== this.#first) this.#isConstant = false;
    }
    this.#spread.add(elements);
    if (this.#rowLength > 0) this.#lookAtRows(elements);
    this.#count += length;
  }

  findings(): Finding[] {
    const found: Finding[] = [];
    const add = (kind: FindingKind, count: number, message: string) => found.push({ kind, count, message });
    const of = `of ${this.#count} value(s)`;
    const finite = this.#count - this.#nans - this.#infinities;
    const rms = Math.sqrt(this.#squares / Math.max(1, finite));
    const isZero = this.#count > 0 && this.#zeros === this.#count;
    if (this.#nans > 0) add('nan', this.#nans, `${this.#nans} ${of} are NaN`);
    if (this.#infinities > 0) add('infinite', this.#infinities, `${this.#infinities} ${of} are infinite`);
    if (FACTS[this.#dtype].kind === 'float' && rms > LARGE_RMS)
      add(
        'large_norm',
        finite,
        `root mean square ${rms.toPrecision(4)}; weights or gradients this large have exploded`,
      );
    if (isZero && this.#count > 1) add('all_zero', this.#count, `all ${this.#count} values are zero`);
    if (!isZero && this.#deadRows > 0)
      add('dead_rows', this.#deadRows, `${this.#deadRows} of ${this.#rows} rows along the first axis are all zero`);
    if (!isZero && this.#isConstant && this.#count > 1)
      add('constant', this.#count, `all ${this.#count} values are ${this.#first}`);
    if (this.#denormals > 0)
      add('denormal', this.#denormals, `${this.#denormals} ${of} are denormal, so imprecise and slow to compute with`);
    const narrower = this.#count > 1 && !isZero ? narrowerDtype(this.#dtype, this.#spread) : undefined;
    if (narrower)
      add('wide_dtype', this.#count, `${narrower} would hold the same values in less space than ${this.#dtype}`);
    return found;
  }

  #lookAtRows(elements: Elements): void {
    for (let i = 0; i < elements.length; ) {
      const stop = Math.min(elements.length, i + this.#rowLength - this.#rowFilled);
      const from = i;
      // The first value that is not zero settles a row.
      while (i < stop && !this.#rowHasValue) if (Number(elements[i++]) !== 0) this.#rowHasValue = true;
      i = stop;
      this.#rowFilled += stop - from;
      if (this.#rowFilled < this.#rowLength) continue;
      if (!this.#rowHasValue) this.#deadRows++;
      this.#rowHasValue = false;
      this.#rowFilled = 0;
    }
  }
}
