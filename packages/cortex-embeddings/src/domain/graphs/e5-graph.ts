import type { E5File, NibbleMatrix } from './e5-file.ts';
import { e5Small } from './e5-small.ts';
import { type Attribute, elementType, GraphWriter } from './onnx-writer.ts';

const { name, dimensions, layers, heads, innerWidth, blockSize } = e5Small;
const MICROSOFT = 'com.microsoft';
const epsilon: Attribute = { float: 1e-12 };

/**
 * The encoder as an ONNX graph whose matrices stay in 4 bits. In: `input_ids`, the tokens of one text. Out: `sentence_embedding`, the
 * mean of what it makes of them.
 */
export function buildE5Graph(file: E5File): Buffer<ArrayBuffer> {
  const graph = new E5Graph(file);
  graph.write();
  return graph.encode({
    name,
    inputs: [{ name: 'input_ids', type: elementType.int64, dims: [1, 'tokens'] }],
    outputs: [{ name: 'sentence_embedding', type: elementType.float, dims: [1, dimensions] }],
    opsets: { '': 17, [MICROSOFT]: 1 },
  });
}

class E5Graph extends GraphWriter {
  readonly #file: E5File;

  constructor(file: E5File) {
    super();
    this.#file = file;
  }

  write(): void {
    const embedded = this.node('Add', [this.#words(), this.#places()], ['embedded']);
    const scales = [this.#vector('emb.ln.w'), this.#vector('emb.ln.b')];
    let state = this.node('LayerNormalization', [embedded, ...scales], ['state'], { attributes: { epsilon } });
    for (let index = 0; index < layers; index++) state = this.#layer(state, `l${index}`);
    this.node('ReduceMean', [state], ['sentence_embedding'], {
      attributes: { axes: { ints: [1] }, keepdims: { int: 0 } },
    });
  }

  /** Rows of the word table, taken apart into halves of bytes: whole numbers below 256, so every step is exact. */
  #words(): string {
    const { nibbles, scales } = this.#file.matrix('emb.word', dimensions);
    const { vocabulary } = this.#file;
    const blocks = dimensions / blockSize;
    this.constant('word_table', elementType.uint8, [vocabulary, dimensions / 2], nibbles);
    this.constant('word_scale_table', elementType.float, [vocabulary, blocks], scales);
    this.#scalar('sixteen', 16);
    this.#scalar('zero_point', 8);
    this.node('Gather', ['word_table', 'input_ids'], ['word_bytes']);
    this.node('Cast', ['word_bytes'], ['word_pairs'], { attributes: { to: { int: elementType.float } } });
    this.node('Div', ['word_pairs', 'sixteen'], ['word_shifted']);
    this.node('Floor', ['word_shifted'], ['word_high']);
    this.node('Mul', ['word_high', 'sixteen'], ['word_high_part']);
    this.node('Sub', ['word_pairs', 'word_high_part'], ['word_low']);
    this.#integers('pair', [1, -1, dimensions / 2, 1]);
    this.node('Reshape', ['word_low', 'pair'], ['word_lows']);
    this.node('Reshape', ['word_high', 'pair'], ['word_highs']);
    this.node('Concat', ['word_lows', 'word_highs'], ['word_both'], { attributes: { axis: { int: 3 } } });
    this.#integers('by_block', [1, -1, blocks, blockSize]);
    this.node('Reshape', ['word_both', 'by_block'], ['word_blocks']);
    this.node('Sub', ['word_blocks', 'zero_point'], ['word_values']);
    this.node('Gather', ['word_scale_table', 'input_ids'], ['word_scales']);
    this.#integers('last_axis', [-1]);
    this.node('Unsqueeze', ['word_scales', 'last_axis'], ['word_scale']);
    this.node('Mul', ['word_values', 'word_scale'], ['word_scaled']);
    this.#integers('flat', [1, -1, dimensions]);
    return this.node('Reshape', ['word_scaled', 'flat'], ['words']);
  }

  /** The first rows of the table of places, with the one segment that there is in them. */
  #places(): string {
    const segment = this.#file.floats('emb.type');
    const places = this.#file.floats('emb.pos').map((value, at) => value + segment[at % dimensions]!);
    this.constant('place_table', elementType.float, [this.#file.positions, dimensions], places);
    this.#integers('first', [0]);
    this.node('Shape', ['input_ids'], ['tokens'], { attributes: { start: { int: 1 }, end: { int: 2 } } });
    return this.node('Slice', ['place_table', 'first', 'tokens', 'first'], ['places']);
  }

  #layer(state: string, layer: string): string {
    const parts = ['q', 'k', 'v'];
    const matrices = parts.map((part) => this.#product(state, `${layer}.${part}.w`, dimensions));
    const biases = parts.flatMap((part) => [...this.#file.floats(`${layer}.${part}.b`)]);
    const attended = this.node(
      'MultiHeadAttention',
      [...matrices, this.floats(`${layer}.qkv.b`, biases)],
      [`${layer}.attended`],
      { attributes: { num_heads: { int: heads } }, domain: MICROSOFT },
    );
    const mixed = this.#product(attended, `${layer}.ao.w`, dimensions);
    const middle = this.#addAndNorm(mixed, state, `${layer}.ao.b`, `${layer}.aln`);
    const wide = this.#product(middle, `${layer}.fi.w`, dimensions);
    const gelu = this.node('BiasGelu', [wide, this.#vector(`${layer}.fi.b`)], [`${layer}.gelu`], { domain: MICROSOFT });
    const narrow = this.#product(gelu, `${layer}.fo.w`, innerWidth);
    return this.#addAndNorm(narrow, middle, `${layer}.fo.b`, `${layer}.oln`);
  }

  #product(input: string, source: string, columns: number): string {
    const { rows, nibbles, scales }: NibbleMatrix = this.#file.matrix(source, columns);
    const blocks = columns / blockSize;
    const weights = this.constant(source, elementType.uint8, [rows, blocks, blockSize / 2], nibbles);
    return this.node('MatMulNBits', [input, weights, this.floats(`${source}.scales`, scales)], [`${source}.product`], {
      domain: MICROSOFT,
      attributes: {
        K: { int: columns },
        N: { int: rows },
        bits: { int: 4 },
        block_size: { int: blockSize },
        // Products of whole numbers: inputs are rounded to bytes, block by block, so no text sees another's range.
        accuracy_level: { int: 4 },
      },
    });
  }

  /** The residual sum, the bias of the product before it and the layer norm, in one operator. */
  #addAndNorm(input: string, residual: string, bias: string, norm: string): string {
    const vectors = [`${norm}.w`, `${norm}.b`, bias].map((source) => this.#vector(source));
    return this.node('SkipLayerNormalization', [input, residual, ...vectors], [`${norm}.state`], {
      attributes: { epsilon },
      domain: MICROSOFT,
    });
  }

  #vector(source: string): string {
    return this.floats(source, this.#file.floats(source));
  }

  #scalar(name: string, value: number): string {
    return this.constant(name, elementType.float, [], Float32Array.of(value));
  }

  #integers(name: string, values: readonly number[]): string {
    return this.constant(name, elementType.int64, [values.length], BigInt64Array.from(values, BigInt));
  }
}
