/** What is true of multilingual-e5-small, as the package of its 4-bit weights holds it. */
export const e5Small = {
  name: 'multilingual-e5-small',
  dimensions: 384,
  layers: 12,
  heads: 12,
  innerWidth: 1_536,
  maxTokens: 512,
  startToken: 0,
  endToken: 2,
  unknownToken: 3,
  /** Weights that share a scale. */
  blockSize: 32,
} as const;

export const E5_WEIGHTS_SHA256 = '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f';
