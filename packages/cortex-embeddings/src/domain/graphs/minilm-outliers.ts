/** Channel → factor, a power of two. */
export type Outliers = Readonly<Record<number, number>>;

export interface LayerOutliers {
  /** Of what goes into the widening product. */
  readonly wide: Outliers;
  /** Channels of what goes into the narrowing product → how many more they fill. */
  readonly overflowing: Readonly<Record<number, number>>;
}

/**
 * A few channels are many times larger than all others, always the same ones. int8 has one scale for a whole tensor, so
 * they would leave the others only a few of its steps. Before the widening product they are divided by these factors, and
 * their weights multiplied by them: the product stays the same. Behind GELU they go on in further channels.
 */
export const outliersOfLayers: readonly LayerOutliers[] = [
  { wide: { 63: 2, 99: 4 }, overflowing: { 856: 4 } },
  { wide: { 63: 2, 99: 4, 223: 2 }, overflowing: { 607: 3 } },
  { wide: { 99: 4, 223: 2 }, overflowing: { 218: 2, 1004: 3 } },
  { wide: { 63: 2, 99: 4, 223: 2 }, overflowing: { 358: 2 } },
  { wide: { 99: 4, 127: 2, 223: 2 }, overflowing: { 637: 1 } },
  { wide: { 99: 2, 223: 2 }, overflowing: {} },
];

/** Of what goes into query, key and value, in every layer. */
export const outliersOfAttention: Outliers = { 63: 2, 99: 4, 127: 2, 157: 2, 223: 4, 338: 2 };

/** What each channel is multiplied by: 1 over its factor. */
export function sharesOf(outliers: Outliers, channels: number): number[] {
  return Array.from({ length: channels }, (_, channel) => 1 / (outliers[channel] ?? 1));
}
