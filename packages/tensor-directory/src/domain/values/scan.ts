import { isIn, type Range } from '../filter.ts';

type Pieces = AsyncIterable<Float64Array> | Iterable<Float64Array>;

/** How many values are in the range, and how many there are. */
export async function countIn(pieces: Pieces, range: Range): Promise<{ count: number; total: number }> {
  let [count, total] = [0, 0];
  for await (const piece of pieces) {
    total += piece.length;
    for (const value of piece) if (isIn(value, range)) count++;
  }
  return { count, total };
}

/** The first place of a value, in row-major order, and at how many places it stands. */
export async function placesOf(pieces: Pieces, value: number): Promise<{ at: number; times: number }> {
  let [at, times, offset] = [-1, 0, 0];
  for await (const piece of pieces) {
    for (const [i, each] of piece.entries()) {
      if (each !== value) continue;
      if (at < 0) at = offset + i;
      times++;
    }
    offset += piece.length;
  }
  return { at, times };
}

/** The first place of the smallest or largest finite value, in row-major order, and at how many places it stands. */
export async function extremeOf(
  pieces: Pieces,
  which: 'min' | 'max',
): Promise<{ value: number; at: number; times: number } | undefined> {
  let [at, times, offset] = [-1, 0, 0];
  let value = which === 'min' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for await (const piece of pieces) {
    for (const [i, each] of piece.entries()) {
      if (!Number.isFinite(each)) continue;
      if (each === value) times++;
      else if (which === 'min' ? each < value : each > value) [value, at, times] = [each, offset + i, 1];
    }
    offset += piece.length;
  }
  return at < 0 ? undefined : { value, at, times };
}

/** How far two rows of the same length are apart. NaN equals NaN here. */
const FEW = 8;
/** 2.1 - 1.5 is 0.6, but for the last digit of a double. */
const rounded = (value: number) => Number(value.toPrecision(15));

export function distanceOf(left: Float64Array, right: Float64Array) {
  let [differing, largest, sum, signed] = [0, 0, 0, 0];
  for (let i = 0; i < left.length; i++) {
    if (Object.is(left[i], right[i]) || left[i] === right[i]) continue;
    const distance = left[i]! - right[i]!;
    differing++;
    largest = Math.max(largest, Math.abs(distance));
    sum += Math.abs(distance);
    signed += distance;
  }
  const isKnown = Number.isFinite(largest) && Number.isFinite(sum);
  return {
    count: left.length,
    differing,
    largest: isKnown ? largest : null,
    mean: isKnown ? sum / left.length : null,
    signedMean: isKnown ? signed / left.length : null,
    /** First minus second, of few values. */
    values: isKnown && left.length <= FEW ? [...left].map((value, i) => rounded(value - right[i]!)) : undefined,
  };
}
