/** Channel → factor, a power of two. */
export type Outliers = Readonly<Record<number, number>>;

export interface LayerOutliers {
  /** Of what goes into the widening product. */
  readonly wide: Outliers;
  /** Of what goes into the narrowing product. */
  readonly narrow: Outliers;
}

/**
 * A few channels are many times larger than all others, always the same ones. int8 has one scale for a whole tensor, so
 * they would leave the others only a few of its steps. They are divided by these factors before they are rounded, and
 * their weights are multiplied by them: the product stays the same, and the error is less than half.
 */
export const outliersOfLayers: readonly LayerOutliers[] = [
  { wide: { 63: 2, 99: 4 }, narrow: { 856: 8 } },
  { wide: { 63: 2, 99: 4, 223: 2 }, narrow: { 607: 4 } },
  { wide: { 99: 4, 223: 2 }, narrow: { 218: 4, 1004: 4 } },
  { wide: { 63: 2, 99: 4, 223: 2 }, narrow: { 358: 4 } },
  { wide: { 99: 4, 127: 2, 223: 2 }, narrow: { 637: 2 } },
  { wide: { 99: 2, 223: 2 }, narrow: {} },
];

/** Of what goes into query, key and value, in every layer. */
export const outliersOfAttention: Outliers = { 63: 2, 99: 4, 127: 2, 157: 2, 223: 4, 338: 2 };

/** What each channel is multiplied by: 1 over its factor. */
export function sharesOf(outliers: Outliers, channels: number): number[] {
  return Array.from({ length: channels }, (_, channel) => 1 / (outliers[channel] ?? 1));
}
