import { besides, quantised, rowsTimes, transposed } from './matrix.ts';
import { minilm, type Precision } from './minilm.ts';
import { type Outliers, outliersOfLayers } from './minilm-outliers.ts';
import { type Attribute, elementType, GraphWriter, type NodeOptions } from './onnx-writer.ts';
import type { HalfTensors } from './safetensors.ts';

const { layers, heads, width, innerWidth, vocabulary, positions } = minilm;
const MICROSOFT = 'com.microsoft';
const epsilon: Attribute = { float: 1e-12 };

// AVX2 adds pairs of products in 16 bits. With weights of at most 63 the sums cannot saturate, and every machine gives
// the same vector.
const INT8_RANGE = 63;

/**
 * The model as one ONNX graph: the ids of one text in, the mean over its tokens (`pooled`) and that mean scaled to
 * length 1 (`unit`) out. There is no attention mask, because texts are never padded to a common length.
 */
export function buildGraph(weights: HalfTensors, precision: Precision): Buffer<ArrayBuffer> {
  const graph = new GraphWriter();
  const layer = new LayerWriter(graph, weights, precision);
  let state = embeddings(graph, weights);
  for (let index = 0; index < layers; index++) state = layer.write(state, index);

  graph.node('ReduceMean', [state], ['pooled'], { attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } });
  graph.node('ReduceL2', ['pooled'], ['length'], { attributes: { axes: { ints: [1] }, keepdims: { int: 1 } } });
  graph.node('Div', ['pooled', 'length'], ['unit']);
  return graph.encode({
    name: minilm.name,
    inputs: [{ name: 'ids', type: elementType.int32, dims: [1, 'tokens'] }],
    outputs: ['pooled', 'unit'].map((name) => ({ name, type: elementType.float, dims: [1, width] })),
    opsets: { '': 17, [MICROSOFT]: 1 },
  });
}

/** Word, place and segment of each token, summed. The word table stays fp16: only the rows in use are widened. */
function embeddings(graph: GraphWriter, weights: HalfTensors): string {
  const places = weights.floats('embeddings.position_embeddings.weight');
  const segments = weights.floats('embeddings.token_type_embeddings.weight');
  for (let i = 0; i < places.length; i++) places[i] = places[i]! + segments[i % width]!;
  const words = Uint8Array.from(weights.raw('embeddings.word_embeddings.weight'));
  graph.constant('words', elementType.float16, [vocabulary, width], words);
  graph.constant('places', elementType.float, [positions, width], places);
  graph.constant('first', elementType.int32, [1], Int32Array.of(0));

  graph.node('Gather', ['words', 'ids'], ['word_halves']);
  graph.node('Cast', ['word_halves'], ['word'], { attributes: { to: { int: elementType.float } } });
  graph.node('Shape', ['ids'], ['count_long'], { attributes: { start: { int: 1 } } });
  graph.node('Cast', ['count_long'], ['count'], { attributes: { to: { int: elementType.int32 } } });
  graph.node('Slice', ['places', 'first', 'count', 'first'], ['place']);
  graph.node('Add', ['word', 'place'], ['embedded']);
  const scale = floatVector(graph, 'embedded_scale', weights.floats('embeddings.LayerNorm.weight'));
  const shift = floatVector(graph, 'embedded_shift', weights.floats('embeddings.LayerNorm.bias'));
  return graph.node('LayerNormalization', ['embedded', scale, shift], ['state'], {
    attributes: { epsilon, axis: { int: -1 } },
  });
}

function floatVector(graph: GraphWriter, name: string, values: Float32Array): string {
  return graph.constant(name, elementType.float, [values.length], values);
}

/** Writes one transformer layer after the other, with the fused operators of onnxruntime. */
class LayerWriter {
  readonly #graph: GraphWriter;
  readonly #weights: HalfTensors;
  readonly #precision: Precision;

  constructor(graph: GraphWriter, weights: HalfTensors, precision: Precision) {
    this.#graph = graph;
    this.#weights = weights;
    this.#precision = precision;
  }

  write(state: string, index: number): string {
    const source = `encoder.layer.${index}`;
    const name = (part: string) => `layer${index}_${part}`;
    const outliers = outliersOfLayers[index]!;
    const attended = this.#attention(state, `${source}.attention.self`, name('attention'), outliers.attention);
    const mixed = this.#linear(attended, `${source}.attention.output.dense`, name('mixed'), [width, width], {});
    const middle = this.#addAndNorm(mixed, state, `${source}.attention.output`, name('middle'));
    const wide = this.#linear(middle, `${source}.intermediate.dense`, name('wide'), [width, innerWidth], outliers.wide);
    const bias = this.#vector(name('bent_bias'), `${source}.intermediate.dense.bias`);
    const bent = this.#graph.node('BiasGelu', [wide, bias], [name('bent')], { domain: MICROSOFT });
    const narrow = this.#linear(bent, `${source}.output.dense`, name('narrow'), [innerWidth, width], outliers.narrow);
    return this.#addAndNorm(narrow, middle, `${source}.output`, name('state'));
  }

  /** Query, key and value are one matrix, as the fused operators want it. */
  #attention(input: string, source: string, name: string, outliers: Outliers): string {
    const parts = ['query', 'key', 'value'];
    const matrices = parts.map((part) => transposed(this.#weights.floats(`${source}.${part}.weight`), width, width));
    const biases = parts.map((part) => this.#weights.floats(`${source}.${part}.bias`));
    const matrix = besides(matrices, width, width);
    const bias = floatVector(this.#graph, `${name}_bias`, besides(biases, 1, width));
    const options: NodeOptions = { attributes: { num_heads: { int: heads } }, domain: MICROSOFT };
    if (this.#precision === 'fp32') {
      const weight = this.#graph.constant(`${name}_weight`, elementType.float, [width, 3 * width], matrix);
      return this.#graph.node('Attention', [input, weight, bias], [name], options);
    }
    const [weight, scale, zero] = this.#quantised(name, matrix, [width, 3 * width], outliers);
    const [x, xScale, xZero] = [`${name}_x`, `${name}_x_scale`, `${name}_x_zero`];
    this.#graph.node('DynamicQuantizeLinear', [this.#calmed(input, name, width, outliers)], [x, xScale, xZero]);
    return this.#graph.node('QAttention', [x, weight, bias, xScale, scale, '', xZero, zero], [name], options);
  }

  /** A matrix product; its bias is left to the operator that follows. */
  #linear(input: string, source: string, name: string, shape: [number, number], outliers: Outliers): string {
    const [inputs, outputs] = shape;
    const matrix = transposed(this.#weights.floats(`${source}.weight`), outputs, inputs);
    if (this.#precision === 'fp32') {
      const weight = this.#graph.constant(`${name}_weight`, elementType.float, [inputs, outputs], matrix);
      return this.#graph.node('MatMul', [input, weight], [name]);
    }
    const calm = this.#calmed(input, name, inputs, outliers);
    const weight = this.#quantised(name, matrix, shape, outliers);
    return this.#graph.node('DynamicQuantizeMatMul', [calm, ...weight], [name], { domain: MICROSOFT });
  }

  /** The input with its outliers divided by their factors. */
  #calmed(input: string, name: string, channels: number, outliers: Outliers): string {
    if (Object.keys(outliers).length === 0) return input;
    const shares = Float32Array.from({ length: channels }, (_, channel) => 1 / (outliers[channel] ?? 1));
    return this.#graph.node('Mul', [input, floatVector(this.#graph, `${name}_shares`, shares)], [`${name}_calm`]);
  }

  /** The residual sum, the bias of the product before it and the layer norm, in one operator. */
  #addAndNorm(input: string, residual: string, source: string, name: string): string {
    const scale = this.#vector(`${name}_scale`, `${source}.LayerNorm.weight`);
    const shift = this.#vector(`${name}_shift`, `${source}.LayerNorm.bias`);
    const bias = this.#vector(`${name}_bias`, `${source}.dense.bias`);
    return this.#graph.node('SkipLayerNormalization', [input, residual, scale, shift, bias], [name], {
      attributes: { epsilon },
      domain: MICROSOFT,
    });
  }

  #vector(name: string, source: string): string {
    return floatVector(this.#graph, name, this.#weights.floats(source));
  }

  #quantised(
    name: string,
    matrix: Float32Array,
    [rows, columns]: [number, number],
    outliers: Outliers,
  ): [string, string, string] {
    const { values, scales } = quantised(rowsTimes(matrix, columns, outliers), rows, columns, INT8_RANGE);
    return [
      this.#graph.constant(`${name}_weight`, elementType.int8, [rows, columns], values),
      floatVector(this.#graph, `${name}_weight_scale`, scales),
      this.#graph.constant(`${name}_weight_zero`, elementType.int8, [columns], new Int8Array(columns)),
    ];
  }
}
