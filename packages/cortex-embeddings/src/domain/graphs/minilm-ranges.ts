/** The lowest and the highest value that int8 has room for; what lies beyond is taken for the nearest of them. */
export type Range = readonly [lowest: number, highest: number];

export interface LayerRanges {
  /** Of what goes into query, key and value. */
  readonly attention: Range;
  /** Of values in either direction, as a share of the most that they could be. */
  readonly value: number;
  /** Of what attention gives, and the mixing product takes, in the same measure. */
  readonly attended: number;
  /** Of what goes into the widening product. */
  readonly wide: Range;
}

/**
 * Ranges that English, Chinese and code stay within, but for one value in a thousand: wider ones would cost all values more
 * than those few gain. They do not depend on the text, so a vector cannot depend on the texts that share its run.
 */
export const rangesOfLayers: readonly LayerRanges[] = [
  { attention: [-0.44, 0.78], value: 0.28, attended: 0.28, wide: [-6, 7.2] },
  { attention: [-0.4, 0.55], value: 0.18, attended: 0.17, wide: [-5, 7.6] },
  { attention: [-0.33, 0.5], value: 0.16, attended: 0.14, wide: [-5.6, 7.2] },
  { attention: [-0.32, 0.35], value: 0.15, attended: 0.13, wide: [-6.6, 7.2] },
  { attention: [-0.35, 0.31], value: 0.15, attended: 0.13, wide: [-6, 7.2] },
  { attention: [-0.3, 0.42], value: 0.19, attended: 0.17, wide: [-6, 9.3] },
];
