/** The lowest and the highest value that int8 has room for; what lies beyond is taken for the nearest of them. */
export type Range = readonly [lowest: number, highest: number];

export interface LayerRanges {
  /** Of what goes into query, key and value. */
  readonly attention: Range;
  /** Of what attention gives, and the mixing product takes. */
  readonly attended: Range;
  /** Of what goes into the widening product. */
  readonly wide: Range;
}

/**
 * Ranges that English, Chinese and code stay within, but for one text in a hundred. They do not depend on the text at
 * hand, so a text's vector cannot depend on the texts that share its run.
 */
export const rangesOfLayers: readonly LayerRanges[] = [
  { attention: [-0.44, 0.78], attended: [-3.4, 2], wide: [-6, 7.2] },
  { attention: [-0.4, 0.55], attended: [-2.6, 2.5], wide: [-5, 7.6] },
  { attention: [-0.33, 0.5], attended: [-2.2, 2.2], wide: [-5.6, 7.2] },
  { attention: [-0.32, 0.35], attended: [-2.3, 2.4], wide: [-6.6, 7.2] },
  { attention: [-0.35, 0.31], attended: [-2.2, 2.2], wide: [-6, 7.2] },
  { attention: [-0.3, 0.42], attended: [-3.2, 3.4], wide: [-6, 9.3] },
];
