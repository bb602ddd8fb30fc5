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
const GRAPH_VERSION: Readonly<Record<Precision, number>> = { int8: 4, fp32: 1 };

export const WEIGHTS_SHA256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d';
export const TOKENIZER_SHA256 = 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037';
export const GRAPH_SHA256: Readonly<Record<Precision, string>> = {
  int8: '1e0541c87de0d19d4fec6125e3e0788051f6fcb7eae65e8c884e18c360ef1d7f',
  fp32: '8417a87e743b4c8ff0e848bbb539ce02810d784449ccbddd91b2444dd069484f',
};

/** Says everything that decides on a vector; the same graph runs natively and in WebAssembly. */
export function minilmIdentity(precision: Precision): string {
  const weights = WEIGHTS_SHA256.slice(0, 12);
  const graph = `graph-${GRAPH_VERSION[precision]}`;
  return `${minilm.name}/${weights}/${precision}/${graph}/${minilm.pooling}/${minilm.maxTokens}-tokens`;
}
