/** What is true of the Universal Sentence Encoder, multilingual, version 3, and of the graph made from it. */
export const useMultilingual = {
  name: 'use-multilingual-v3',
  dimensions: 512,
  /** It has no limit of its own, and no positions; beyond this a text is cut so that a run stays short. */
  maxTokens: 512,
  startToken: 1,
  endToken: 2,
  /** Blocks of the word table, each with a scale of its own: piece number = row × blocks + block. */
  blocks: 17,
  branchWidth: 256,
  pooledWidth: 320,
  /** Length of an n-gram, and how many of its tokens lie to the left. */
  branches: [
    { length: 2, left: 0 },
    { length: 3, left: 1 },
    { length: 5, left: 2 },
  ],
} as const;

export const USE_WEIGHTS_SHA256 = '0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9';
export const USE_TOKENIZER_SHA256 = '994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9';
