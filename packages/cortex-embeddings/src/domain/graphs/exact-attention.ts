import type { HalfTensors } from '../safetensors.ts';
import type { ByteGraph, Bytes } from './byte-graph.ts';
import { type Normed, stateBytes } from './exact-norm.ts';
import { rounder, roundingBias, steps } from './grid.ts';
import { columnLengths, columnsOf, rowsTimes, rowTimes, transposed } from './matrix.ts';
import { minilm } from './minilm.ts';
import { outliersOfAttention } from './minilm-outliers.ts';
import type { LayerRanges } from './minilm-ranges.ts';
import { type Attribute, elementType } from './onnx-writer.ts';

const { heads, width } = minilm;
const headWidth = width / heads;
const microsoft = { domain: 'com.microsoft' };

// AVX2 adds the products of two neighbours in 16 bits.
const LARGEST_VALUE = Math.floor((2 ** 15 - 1) / (2 * Math.round(1 / steps.share)));

/** The columns of each head, and behind them one of no matrix, in which shares are counted. */
const columnsAndCount = Array.from({ length: heads }, (_, head) => [
  ...Array.from({ length: headWidth }, (_, i) => head * headWidth + i),
  undefined,
]).flat();

interface Attended {
  readonly bytes: Bytes;
  /** What is the same in every value. Shares sum to 1, so it can be added after them. */
  readonly bias: Float64Array;
}

/** Softmax attention: what each token gets from the values of all. */
export class ExactAttention {
  readonly #graph: ByteGraph;
  readonly #weights: HalfTensors;
  readonly #present: string;

  /** `present` is [tokens, texts, 1]. */
  constructor(graph: ByteGraph, weights: HalfTensors, present: string) {
    this.#graph = graph;
    this.#weights = weights;
    this.#present = present;
    graph.scalar('query_rounder', rounder(steps.query));
    graph.scalar('key_rounder', rounder(steps.key));
    graph.scalar('share_step', steps.share);
    graph.byte('share_zero', 0);
    graph.scalar('least_value', -LARGEST_VALUE);
    graph.scalar('largest_value', LARGEST_VALUE);
    graph.constant('value_zero', elementType.int8, [], Int8Array.of(0));
    graph.integers('heads_shape', [0, 0, heads, headWidth]);
    graph.integers('values_shape', [0, 0, heads, headWidth + 1]);
    graph.integers('values_and_count', [headWidth, 1]);
    graph.integers('tokens_shape', [0, 0, width]);
  }

  write(state: Normed, source: string, name: string, ranges: LayerRanges): Attended {
    const node = this.#graph.node.bind(this.#graph);
    const input = stateBytes(this.#graph, state, {
      name,
      outliers: outliersOfAttention,
      range: ranges.attention,
      isScaled: false,
    });
    const query = this.#heads(input, state, source, name, 'query');
    const key = this.#heads(input, state, source, name, 'key');
    const values = this.#values(input, state, source, `${name}_value`, ranges.value);
    const { one } = this.#graph;
    const factors = [this.#shares(query, key, name), values.name, one, one, 'share_zero', 'value_zero'];
    node('MatMulIntegerToFloat', factors, [`${name}_sums`], microsoft);
    node('Split', [`${name}_sums`, 'values_and_count'], [`${name}_weighted`, `${name}_whole`], {
      attributes: { axis: { int: -1 } },
    });
    const mean = node('Div', [`${name}_weighted`, `${name}_whole`], [`${name}_mean`]);
    const largest = (ranges.attended / ranges.value) * LARGEST_VALUE;
    const bytes = this.#graph.bytes(mean, [-largest, largest], `${name}_mean`);
    node('Transpose', [bytes.name], [`${name}_by_token`], { attributes: { perm: { ints: [2, 0, 1, 3] } } });
    const joined = node('Reshape', [`${name}_by_token`, 'tokens_shape'], [`${name}_joined`]);
    return { bytes: { ...bytes, name: joined, factors: values.units }, bias: values.bias };
  }

  /** What each key is to a query, as a share of what the highest is, in bytes. */
  #shares(query: string, key: string, name: string): string {
    const node = this.#graph.node.bind(this.#graph);
    const byHead: Record<string, Attribute> = { transBatchA: { int: 1 }, transBatchB: { int: 1 }, transB: { int: 1 } };
    const perQuery: Record<string, Attribute> = { axes: { ints: [-1] }, keepdims: { int: 1 } };
    node('FusedMatMul', [query, key], [`${name}_scores`], { attributes: byHead, ...microsoft });
    node('ReduceMax', [`${name}_scores`], [`${name}_highest`], { attributes: perQuery });
    node('Sub', [`${name}_scores`, `${name}_highest`], [`${name}_below`]);
    node('Exp', [`${name}_below`], [`${name}_exp`]);
    return node('QuantizeLinear', [`${name}_exp`, 'share_step', 'share_zero'], [`${name}_shares`]);
  }

  /** Queries or keys of all heads, on the grid. */
  #heads(input: Bytes, state: Normed, source: string, name: string, word: 'query' | 'key'): string {
    const factor = word === 'query' ? 1 / Math.sqrt(headWidth) : 1;
    const { matrix, bias } = this.#linear(state, `${source}.${word}`, factor);
    const product = this.#graph.product(input, matrix, roundingBias(bias, steps[word]), `${name}_${word}`);
    const rounded = this.#graph.node('Sub', [product, `${word}_rounder`], [`${name}_${word}_rounded`]);
    return this.#graph.node('Reshape', [rounded, 'heads_shape'], [`${name}_${word}`]);
  }

  /**
   * Values of all heads as signed bytes, without their bias, and behind those of each head a 1 by which shares are counted.
   * Of a token that only fills up its text all this is 0. A state has length 1, so no value is larger than the length of its
   * column; as a share of that, all channels are about as large.
   */
  #values(input: Bytes, state: Normed, source: string, name: string, range: number) {
    const node = this.#graph.node.bind(this.#graph);
    const { matrix, bias } = this.#linear(state, `${source}.value`, 1);
    const lengths = columnLengths(rowsTimes(matrix, width, state.scale), width);
    const units = lengths.map((length) => (length * range) / LARGEST_VALUE);
    const inUnits = matrix.map((value, i) => value / units[i % width]!);
    const counts = columnsAndCount.map((column) => (column === undefined ? 1 : 0));
    const product = this.#graph.product(input, columnsOf(inUnits, width, columnsAndCount), counts, name);
    node('Mul', [product, this.#present], [`${name}_present`]);
    node('Clip', [`${name}_present`, 'least_value', 'largest_value'], [`${name}_clipped`]);
    node('QuantizeLinear', [`${name}_clipped`, this.#graph.one, 'value_zero'], [`${name}_bytes`]);
    node('Reshape', [`${name}_bytes`, 'values_shape'], [`${name}_by_head`]);
    const perm: Attribute = { ints: [1, 2, 0, 3] };
    return { name: node('Transpose', [`${name}_by_head`], [name], { attributes: { perm } }), units, bias };
  }

  /** The matrix of a linear layer, and its bias with what the state's shift adds to it. */
  #linear(state: Normed, source: string, factor: number): { matrix: Float32Array; bias: Float64Array } {
    const read = (kind: string) => this.#weights.floats(`${source}.${kind}`).map((value) => value * factor);
    const matrix = transposed(read('weight'), width, width);
    const bias = read('bias');
    return { matrix, bias: rowTimes(state.shift, matrix, width).map((shift, i) => shift + bias[i]!) };
  }
}
