import { type ComputedDtype, countOf, FACTS, MAX_DIMENSIONS, type TensorSource } from '@atoll-mcp/formats/dtypes';
import { PackedList } from '../packed/packed-list.ts';
import type { Misfit } from './cast-doubles.ts';
import { blocksOf, blocksOfPacked, isSpecial } from './list-blocks.ts';

/** What is wrong with a nested list, and where: `tensor_data[2][5]`. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
}

export interface ListOptions {
  /** What the list is called in messages: `tensor_data`, `model_weights`. */
  readonly field: string;
  /** Without one: bool, int64 or float64, as NumPy infers it. */
  readonly dtype?: ComputedDtype | undefined;
  readonly maxBytes: number;
}

/**
 * Checks a nested list and gives its values as bytes. Millions of numbers are usual, so the leaves are walked in bare loops and no
 * copy of them all is made: the list is walked again, a block at a time, when it is stored.
 */
export function readNestedList(list: readonly unknown[] | PackedList, options: ListOptions): TensorSource {
  const isPacked = list instanceof PackedList;
  const shape = isPacked ? list.shape : shapeOf(list, options);
  const bytes = countOf(shape) * (options.dtype ? FACTS[options.dtype].bytes : 8);
  if (bytes > options.maxBytes) {
    throw new ListFault(`${options.field} takes ${bytes} bytes; at most ${options.maxBytes} are allowed`);
  }
  const survey = new Survey(shape, options);
  if (isPacked) survey.packed(list);
  else survey.enter(list, 0);
  const dtype = options.dtype ?? survey.inferred();
  const misfit: Misfit = (index, value, fitting) => {
    const place = `${options.field}${bracketed(unravel(index, shape))}`;
    return new ListFault(`${place} is ${value}, which does not fit ${dtype}; it takes ${fitting}`);
  };
  const pieces = () =>
    isPacked ? blocksOfPacked(list, dtype, misfit) : blocksOf(list, shape, dtype, survey.exact, misfit);
  // Inferred types hold every value by themselves; a type that was asked for is tried before anything is stored.
  if (options.dtype && options.dtype !== 'float64') for (const _block of pieces());
  return { dtype, shape, pieces };
}

/** The sizes along the first entries; whether the rest agrees is seen while walking. */
function shapeOf(list: readonly unknown[], { field }: ListOptions): number[] {
  const shape: number[] = [];
  let level: unknown = list;
  while (Array.isArray(level)) {
    if (shape.length === MAX_DIMENSIONS) {
      const place = `${field}${'[0]'.repeat(MAX_DIMENSIONS)}`;
      throw new ListFault(`${place} is still a list; at most ${MAX_DIMENSIONS} dimensions are allowed`);
    }
    shape.push(level.length);
    level = level[0];
  }
  return shape;
}

/** One look at every entry: whether the shape holds, and which kinds of values there are. */
class Survey {
  /** Integers given as text, because JSON numbers beyond 2^53 are rounded on their way. */
  readonly exact = new Map<number, bigint>();
  readonly #shape: readonly number[];
  readonly #field: string;
  readonly #path: number[] = [];
  #seen = 0;
  #sawNumber = false;
  #sawFraction = false;
  #sawLarge = false;
  #sawBool = false;

  constructor(shape: readonly number[], { field }: ListOptions) {
    this.#shape = shape;
    this.#field = field;
  }

  enter(list: readonly unknown[], depth: number): void {
    if (depth === this.#shape.length - 1) {
      this.#leaves(list);
      return;
    }
    const size = this.#shape[depth + 1]!;
    for (let i = 0; i < list.length; i++) {
      const child = list[i];
      this.#path[depth] = i;
      if (!Array.isArray(child)) throw this.#ragged(depth, `is ${kindOf(child)}`, size);
      if (child.length !== size) throw this.#ragged(depth, `has ${items(child.length)}`, size);
      this.enter(child, depth + 1);
    }
  }

  packed({ blocks }: PackedList): void {
    for (const block of blocks) {
      this.#seen += block.length;
      for (let i = 0; i < block.length && !this.#sawFraction; i++) {
        const value = block[i]!;
        if (value !== Math.trunc(value)) this.#sawFraction = true;
        if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) this.#sawLarge = true;
      }
    }
  }

  inferred(): ComputedDtype {
    if (this.#sawBool && !this.#sawNumber) return 'bool';
    if (this.#sawFraction || this.#seen === 0) return 'float64';
    // An integer of this size may have been a float such as 1e20; as a double it is kept as it came.
    return this.#sawLarge && this.exact.size === 0 ? 'float64' : 'int64';
  }

  #leaves(list: readonly unknown[]): void {
    let numbers = 0;
    let fraction = this.#sawFraction;
    let large = this.#sawLarge;
    for (let i = 0; i < list.length; i++) {
      const value = list[i];
      if (typeof value === 'number') {
        numbers++;
        if (!fraction && value !== Math.trunc(value)) fraction = true;
        if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) large = true;
      } else {
        this.#otherThanNumber(value, this.#seen + i);
      }
    }
    this.#seen += list.length;
    this.#sawNumber ||= numbers > 0;
    this.#sawFraction ||= fraction;
    this.#sawLarge ||= large;
  }

  #otherThanNumber(value: unknown, index: number): void {
    if (typeof value === 'boolean') {
      this.#sawBool = true;
      return;
    }
    this.#sawNumber = true;
    if (typeof value === 'string' && isSpecial(value)) {
      this.#sawFraction = true;
      return;
    }
    if (typeof value === 'string' && isLargeInteger(value)) {
      this.exact.set(index, BigInt(value));
      return;
    }
    const place = `${this.#field}${bracketed(unravel(index, this.#shape))}`;
    if (Array.isArray(value)) {
      throw new ListFault(`${place} is a list where a number is expected: its neighbours are not nested as deep`);
    }
    throw new ListFault(
      `${place} is ${kindOf(value)}; allowed are numbers, true, false, "NaN", "Infinity", "-Infinity" and integers beyond 2^53 as text`,
    );
  }

  #ragged(depth: number, what: string, size: number): ListFault {
    const place = `${this.#field}${bracketed(this.#path.slice(0, depth + 1))}`;
    return new ListFault(
      `${place} ${what} where a list of ${items(size)} is expected; all lists of a level must be alike`,
    );
  }
}

/** JSON numbers beyond 2^53 are rounded on their way; smaller ones have no reason to be text. */
function isLargeInteger(text: string): boolean {
  return /^-?\d{16,20}$/.test(text) && !Number.isSafeInteger(Number(text));
}

function unravel(index: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  let rest = index;
  for (const size of shape.toReversed()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return place;
}

const bracketed = (place: readonly number[]) => place.map((i) => `[${i}]`).join('');
const items = (count: number) => `${count} ${count === 1 ? 'item' : 'items'}`;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
