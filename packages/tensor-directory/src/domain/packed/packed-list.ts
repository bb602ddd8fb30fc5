/**
 * A rectangular nested list of numbers as it came in a message, without an object per number: row-major doubles, in blocks of any
 * size. NaN and infinities, which JSON has no numbers for, came as text.
 */
export class PackedList {
  readonly shape: readonly number[];
  readonly blocks: readonly Float64Array[];

  constructor(shape: readonly number[], blocks: readonly Float64Array[]) {
    this.shape = shape;
    this.blocks = blocks;
  }

  /** As it came: whoever passes it on in a message need not know of it. */
  toJSON(): unknown {
    let lists: unknown[] = this.blocks.flatMap((block) => Array.from(block, asWritten));
    for (const size of this.shape.slice(1).reverse()) {
      lists = Array.from({ length: lists.length / size }, (_, i) => lists.slice(i * size, (i + 1) * size));
    }
    return lists;
  }
}

function asWritten(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

/** What JSON has no numbers for, and how it is written in a list of numbers. */
export const SPECIAL_NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
