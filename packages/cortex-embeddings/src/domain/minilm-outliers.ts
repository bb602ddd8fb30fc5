/** Channel → factor, a power of two. */
export type Outliers = Readonly<Record<number, number>>;

export interface LayerOutliers {
  /** Of what goes into query, key and value. */
  readonly attention: Outliers;
  /** Of what goes into the widening product. */
  readonly wide: Outliers;
  /** Of what goes into the narrowing product. */
  readonly narrow: Outliers;
}

/**
 * In each layer a few channels are many times larger than all others, always the same ones. int8 has one scale for a
 * whole tensor, so they would leave the others only a few of its steps. They are divided by these factors before they are
 * rounded, and their weights are multiplied by them: the product stays the same, and the error is less than half.
 */
export const outliersOfLayers: readonly LayerOutliers[] = [
  { attention: {}, wide: { 63: 2, 99: 4 }, narrow: { 856: 8 } },
  { attention: { 99: 2 }, wide: { 63: 2, 99: 4, 223: 2 }, narrow: { 607: 4 } },
  { attention: {}, wide: { 99: 4, 223: 2 }, narrow: { 218: 4, 1004: 4 } },
  { attention: { 99: 2 }, wide: { 63: 2, 99: 4, 223: 2 }, narrow: { 358: 4 } },
  { attention: { 99: 2 }, wide: { 99: 4, 127: 2, 223: 2 }, narrow: { 637: 2 } },
  { attention: { 99: 2 }, wide: { 99: 2, 223: 2 }, narrow: {} },
];
