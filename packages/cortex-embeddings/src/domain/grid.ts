/**
 * Adding this number to a float32 leaves no bits below `step`: the sum is rounded to a multiple of it, on every machine
 * in the same way. Subtracting it again is exact.
 */
export const rounder = (step: number): number => 1.5 * 2 ** 23 * step;

export const onGrid = (value: number, step: number): number => Math.round(value / step) * step;

/**
 * Steps of the values that are summed or bent in the int8 graph; all are powers of two.
 *
 * float32 has 24 bits. Sums of multiples of a step that stay below 2^24 steps are exact, so neither their order nor a
 * fused multiplication changes them. The largest sums seen leave half of that free or more.
 */
export const steps = {
  /** Of the state between two layers. */
  state: 2 ** -12,
  /** Of the state in the middle of a layer, where no channel is so large that the sum of squares needs more bits. */
  middle: 2 ** -7,
  query: 2 ** -7,
  key: 2 ** -5,
  value: 2 ** -6,
  /** Of what a softmax sums. A score is a multiple of query × key, and no exponential of one lies on an edge of this. */
  attention: 2 ** -9,
  /** Of what no softmax may sum: a share, at most 1, is nothing in such steps. */
  absent: 4,
  /** Of what goes into GELU. */
  wide: 2 ** -8,
  /** Of what comes out of it, and no GELU of a multiple of `wide` lies on an edge of this. */
  bent: 5 * 2 ** -8,
} as const;
