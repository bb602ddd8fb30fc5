/**
 * Adding this number to a float32 leaves no bits below `step`: the sum is rounded to a multiple of it, on every machine
 * in the same way. Subtracting it again is exact.
 */
export const rounder = (step: number): number => 1.5 * 2 ** 23 * step;

export const onGrid = (value: number, step: number): number => Math.round(value / step) * step;

/** A bias that also rounds what it is added to. */
export const roundingBias = (values: ArrayLike<number>, step: number): number[] =>
  Array.from(values, (value) => onGrid(value, step) + rounder(step));

/**
 * Steps of the values that are summed or put through GELU in the int8 graph; those of sums are powers of two.
 *
 * float32 has 24 bits. Sums of multiples of a step that stay below 2^24 steps are exact, so neither their order nor a
 * fused multiplication changes them. The largest sums seen, of 256 equal tokens, take half of that.
 */
export const steps = {
  /** Of the state between two layers. */
  state: 2 ** -12,
  /** Of the state in the middle of a layer, where no channel is so large that the sum of squares needs more bits. */
  middle: 2 ** -7,
  query: 2 ** -7,
  key: 2 ** -5,
  /** Of the shares of a softmax. A score is a multiple of query × key, and no exponential of one lies on an edge of this. */
  share: 1 / 246,
  /** Of what goes into GELU. */
  wide: 2 ** -8,
  /** Of what comes out of it, and no GELU of a multiple of `wide` lies on an edge of this. */
  gelu: 163 * 2 ** -13,
} as const;
