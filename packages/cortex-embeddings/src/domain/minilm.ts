/** What is true of all-MiniLM-L6-v2 and of the graph made from it. */
export const minilm = {
  name: 'all-MiniLM-L6-v2',
  vocabulary: 30_522,
  positions: 512,
  layers: 6,
  heads: 12,
  width: 384,
  innerWidth: 1_536,
  /** The length it was trained on; longer texts are cut, and that is reported. */
  maxTokens: 256,
  firstToken: 101,
  separatorToken: 102,
  pooling: 'mean',
} as const;

export type Precision = 'int8' | 'fp32';

/** Grows with every change of the graph that may change a vector. */
export const GRAPH_VERSION: Readonly<Record<Precision, number>> = { int8: 4, fp32: 1 };

export const WEIGHTS_SHA256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d';
export const TOKENIZER_SHA256 = 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037';
export const GRAPH_SHA256: Readonly<Record<Precision, string>> = {
  int8: '0b6e592f6eb1f7ceb56dafe870c2686c049b9b8056b4b038df95ee162358cf70',
  fp32: '780f1277556790a9fc5218bcc5681aee19a48adc4bf6087a0db0957ab56a006a',
};

/** Says everything that decides on a vector; the same graph runs natively and in WebAssembly. */
export function minilmIdentity(precision: Precision): string {
  const weights = WEIGHTS_SHA256.slice(0, 12);
  const graph = `graph-${GRAPH_VERSION[precision]}`;
  return `${minilm.name}/${weights}/${precision}/${graph}/${minilm.pooling}/${minilm.maxTokens}-tokens`;
}
