import { ByteOperators, type Bytes } from './byte-operators.ts';
import { onGrid, rounder, steps } from './grid.ts';
import { rowsTimes, rowTimes, transposed } from './matrix.ts';
import { minilm } from './minilm.ts';
import {
  type LayerOutliers,
  type Outliers,
  outliersOfAttention,
  outliersOfLayers,
  sharesOf,
} from './minilm-outliers.ts';
import { type LayerRanges, type Range, rangesOfLayers } from './minilm-ranges.ts';
import { type Attribute, elementType, type GraphWriter } from './onnx-writer.ts';
import type { HalfTensors } from './safetensors.ts';

const { layers, heads, width, innerWidth } = minilm;
const headWidth = width / heads;
const microsoft = { domain: 'com.microsoft' };
const perToken: Record<string, Attribute> = { axes: { ints: [-1] }, keepdims: { int: 1 } };

// GELU is never below -0.17.
const BENT_ZERO = Math.round(0.17 / steps.bent);

/** Tokens of length 1; scaled and shifted by channel they are the state. */
interface Normed {
  readonly name: string;
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/** Which norm a sum goes into: that between two layers, or that in the middle of one. */
type SumKind = 'state' | 'middle';

/** What a product takes of the state: `bytes` times `rows` are its channels. */
interface StateBytes extends Bytes {
  readonly rows: Float32Array;
}

/**
 * The layers in int8, written so that every machine computes the same bits: products are sums of integers, all other
 * sums are exact because their terms lie on a grid, and everything between is one correctly rounded operation at a time.
 * Only the exponential and GELU differ from machine to machine; what goes into them lies on a grid, and what comes out is
 * rounded to one that is coarser than that difference.
 *
 * The state is [tokens, texts, channels]. Nothing in it depends on the other texts, so they share a run freely.
 */
export class ExactLayers {
  readonly #graph: GraphWriter;
  readonly #write: ByteOperators;
  readonly #weights: HalfTensors;

  constructor(graph: GraphWriter, weights: HalfTensors) {
    this.#graph = graph;
    this.#write = new ByteOperators(graph);
    this.#weights = weights;
  }

  write(embedded: string, present: string, outputs: { pooled: string; unit: string }): void {
    this.#write.scalar('state_rounder', rounder(steps.state));
    this.#write.scalar('middle_rounder', rounder(steps.middle));
    this.#write.scalar('bent_step', steps.bent);
    this.#write.zeroByte('bent_zero', BENT_ZERO);
    this.#write.integers('heads_shape', [0, 0, heads, headWidth]);
    this.#write.integers('tokens_shape', [0, 0, width]);
    this.#write.integers('first_axis', [0]);
    this.#write.integers('last_axis', [-1]);
    this.#write.integers('middle_axes', [1, 2]);
    this.#keyRounder(present);

    let sum = this.#graph.node('Add', [embedded, 'state_rounder'], ['embedded_sum']);
    for (let index = 0; index < layers; index++) sum = this.#layer(sum, index);
    const state = this.#norm(sum, `encoder.layer.${layers - 1}.output`, 'last');
    this.#pool(this.#carried(state, new Float32Array(width), 'last'), present, outputs);
  }

  /** One rounder per key. That of a token that only fills up its text is so coarse that no attention is left for it. */
  #keyRounder(present: string): void {
    const node = this.#graph.node.bind(this.#graph);
    this.#write.scalar('absent_rounder', rounder(steps.absent));
    this.#write.scalar('finer_rounder', rounder(steps.attention) - rounder(steps.absent));
    node('Transpose', [present], ['present_keys'], { attributes: { perm: { ints: [1, 0] } } });
    node('Unsqueeze', ['present_keys', 'middle_axes'], ['present_by_key']);
    node('Mul', ['present_by_key', 'finer_rounder'], ['rounder_below']);
    node('Add', ['rounder_below', 'absent_rounder'], ['key_rounder']);
  }

  /** From the sum that goes into the layer's first norm to the one that goes into the norm of the next layer. */
  #layer(sum: string, index: number): string {
    const source = `encoder.layer.${index}`;
    const name = (part: string) => `layer${index}_${part}`;
    const outliers = outliersOfLayers[index]!;
    const ranges = rangesOfLayers[index]!;
    const state = this.#norm(sum, index === 0 ? 'embeddings' : `encoder.layer.${index - 1}.output`, name('state'));
    const attended = this.#attention(state, `${source}.attention.self`, name('attention'), ranges);
    const mixing = transposed(this.#weights.floats(`${source}.attention.output.dense.weight`), width, width);
    const mixed = this.#write.product(attended.bytes, mixing, width, name('mixed'));
    // Shares of attention sum to 1, so what is the same in every value can be added after them.
    const mixedBias = rowTimes(attended.bias, mixing, width);
    const denseBias = this.#weights.floats(`${source}.attention.output.dense.bias`);
    const carried = this.#carried(
      state,
      denseBias.map((value, i) => value + mixedBias[i]!),
      name('state'),
      'middle',
    );
    const middleSum = this.#graph.node('Add', [mixed, carried], [name('middle_sum')]);

    const middle = this.#norm(middleSum, `${source}.attention.output`, name('middle'), 'middle');
    const narrow = this.#bent(middle, source, name, outliers, ranges.wide);
    const carriedOn = this.#carried(middle, this.#weights.floats(`${source}.output.dense.bias`), name('middle'));
    return this.#graph.node('Add', [narrow, carriedOn], [name('sum')]);
  }

  /** `sum` still holds the rounder, so centred tokens lie on the grid. */
  #norm(sum: string, source: string, name: string, kind: SumKind = 'state'): Normed {
    const node = this.#graph.node.bind(this.#graph);
    node('Sub', [sum, `${kind}_rounder`], [`${name}_rounded`]);
    node('ReduceMean', [`${name}_rounded`], [`${name}_mean`], { attributes: perToken });
    node('Add', [`${name}_mean`, `${kind}_rounder`], [`${name}_mean_sum`]);
    const centred = node('Sub', [sum, `${name}_mean_sum`], [`${name}_centred`]);
    const length = kind === 'state' ? this.#longLength(centred, name) : this.#shortLength(centred, name);
    return {
      name: node('Div', [centred, length], [name]),
      // The length is that of all channels together, the norm's deviation that of one.
      scale: this.#weights.floats(`${source}.LayerNorm.weight`).map((value) => value * Math.sqrt(width)),
      shift: this.#weights.floats(`${source}.LayerNorm.bias`),
    };
  }

  /** Double holds the sum of squares exactly. */
  #longLength(centred: string, name: string): string {
    this.#write.cast(centred, `${name}_double`, elementType.double);
    this.#graph.node('ReduceL2', [`${name}_double`], [`${name}_length_double`], { attributes: perToken });
    return this.#write.cast(`${name}_length_double`, `${name}_length`, elementType.float);
  }

  /** So does float, where the steps are coarse and no token stands out. It takes a third of the time. */
  #shortLength(centred: string, name: string): string {
    this.#graph.node('Mul', [centred, centred], [`${name}_squares`]);
    this.#graph.node('ReduceSum', [`${name}_squares`, 'last_axis'], [`${name}_square`], {
      attributes: { keepdims: { int: 1 } },
    });
    return this.#graph.node('Sqrt', [`${name}_square`], [`${name}_length`]);
  }

  /** What the next sum takes over: the state and the bias of the product it is added to, on the grid, with the rounder. */
  #carried({ name, scale, shift }: Normed, bias: Float32Array, prefix: string, kind: SumKind = 'state'): string {
    const scaled = this.#graph.node('Mul', [name, this.#graph.floats(`${prefix}_scale`, scale)], [`${prefix}_scaled`]);
    const shifts = shift.map((value, i) => onGrid(value + bias[i]!, steps[kind]) + rounder(steps[kind]));
    return this.#graph.node('Add', [scaled, this.#graph.floats(`${prefix}_shift`, shifts)], [`${prefix}_carried`]);
  }

  /** Softmax over scores, and the values weighted by it; the bias of the values is left to what follows. */
  #attention(state: Normed, source: string, name: string, ranges: LayerRanges): { bytes: Bytes; bias: Float64Array } {
    const node = this.#graph.node.bind(this.#graph);
    const input = this.#stateBytes(state, name, outliersOfAttention, ranges.attention, false);
    const part = (word: 'query' | 'key' | 'value') =>
      this.#attentionPart(input, state, source, `${name}_${word}`, word);
    const [query, key, value] = [part('query'), part('key'), part('value')];
    node('FusedMatMul', [query.name, key.name], [`${name}_scores`], {
      attributes: { transBatchA: { int: 1 }, transBatchB: { int: 1 }, transB: { int: 1 } },
      ...microsoft,
    });
    node('ReduceMax', [`${name}_scores`], [`${name}_highest`], { attributes: perToken });
    node('Sub', [`${name}_scores`, `${name}_highest`], [`${name}_below`]);
    node('Exp', [`${name}_below`], [`${name}_exp`]);
    node('Add', [`${name}_exp`, 'key_rounder'], [`${name}_exp_sum`]);
    node('Sub', [`${name}_exp_sum`, 'key_rounder'], [`${name}_shares`]);
    node('ReduceSum', [`${name}_shares`, 'last_axis'], [`${name}_whole`], { attributes: { keepdims: { int: 1 } } });
    node('FusedMatMul', [`${name}_shares`, value.name], [`${name}_weighted`], {
      attributes: { transBatchB: { int: 1 } },
      ...microsoft,
    });
    node('Div', [`${name}_weighted`, `${name}_whole`], [`${name}_attended`]);
    node('Transpose', [`${name}_attended`], [`${name}_by_token`], { attributes: { perm: { ints: [2, 0, 1, 3] } } });
    const joined = node('Reshape', [`${name}_by_token`, 'tokens_shape'], [`${name}_joined`]);
    return { bytes: this.#write.bytes(joined, ranges.attended, `${name}_joined`), bias: value.bias };
  }

  /** Queries, keys or values of all heads: on the grid, and for values without their bias. */
  #attentionPart(input: StateBytes, state: Normed, source: string, name: string, word: 'query' | 'key' | 'value') {
    const node = this.#graph.node.bind(this.#graph);
    const factor = word === 'query' ? 1 / Math.sqrt(headWidth) : 1;
    const read = (kind: string) => this.#weights.floats(`${source}.${word}.${kind}`).map((value) => value * factor);
    const matrix = transposed(read('weight'), width, width);
    const shift = rowTimes(state.shift, matrix, width);
    const biases = read('bias');
    const bias = shift.map((value, i) => value + biases[i]!);
    const step = steps[word];
    const product = this.#write.product(input, rowsTimes(matrix, width, input.rows), width, name);
    const shifts = Array.from(bias, (value) => rounder(step) + (word === 'value' ? 0 : onGrid(value, step)));
    this.#write.scalar(`${name}_rounder`, rounder(step));
    node('Add', [product, this.#graph.floats(`${name}_shift`, shifts)], [`${name}_sum`]);
    node('Sub', [`${name}_sum`, `${name}_rounder`], [`${name}_rounded`]);
    return { name: node('Reshape', [`${name}_rounded`, 'heads_shape'], [name]), bias };
  }

  /** The widening product, GELU and the narrowing product. */
  #bent(middle: Normed, source: string, name: (part: string) => string, outliers: LayerOutliers, range: Range): string {
    const widening = transposed(this.#weights.floats(`${source}.intermediate.dense.weight`), innerWidth, width);
    const input = this.#stateBytes(middle, name('wide'), outliers.wide, range, true);
    const product = this.#write.product(input, rowsTimes(widening, innerWidth, input.rows), innerWidth, name('wide'));
    const shift = rowTimes(middle.shift, widening, innerWidth);
    const bias = this.#weights.floats(`${source}.intermediate.dense.bias`);
    const shares = sharesOf(outliers.narrow, innerWidth);
    // A channel that is divided afterwards is rounded the coarser before.
    const inputSteps = shares.map((share) => steps.wide / share);
    const shifts = inputSteps.map((step, i) => onGrid(bias[i]! + shift[i]!, step) + rounder(step));
    const summed = this.#graph.node(
      'Add',
      [product, this.#graph.floats(name('wide_shift'), shifts)],
      [name('wide_sum')],
    );
    const back = this.#graph.floats(
      name('wide_rounder'),
      inputSteps.map((step) => -rounder(step)),
    );
    let bent = this.#graph.node('BiasGelu', [summed, back], [name('bent')], microsoft);
    if (Object.keys(outliers.narrow).length > 0) {
      bent = this.#graph.node('Mul', [bent, this.#graph.floats(name('bent_shares'), shares)], [name('bent_calm')]);
    }
    const bytes = this.#graph.node('QuantizeLinear', [bent, 'bent_step', 'bent_zero'], [name('bent_bytes')]);
    const narrowing = transposed(this.#weights.floats(`${source}.output.dense.weight`), width, innerWidth);
    const factors = shares.map((share) => 1 / share);
    const bentBytes = { name: bytes, step: 'bent_step', zero: 'bent_zero' };
    return this.#write.product(bentBytes, rowsTimes(narrowing, width, factors), width, name('narrow'));
  }

  /**
   * The state as bytes. Its scale goes into them or into the matrix, whichever makes the error of int8 smaller there; its
   * shift is left to what follows the product.
   */
  #stateBytes(state: Normed, name: string, outliers: Outliers, range: Range, isScaled: boolean): StateBytes {
    const shares = sharesOf(outliers, width);
    const factors = state.scale.map((scale, i) => (isScaled ? scale : 1) * shares[i]!);
    const calm = this.#graph.node('Mul', [state.name, this.#graph.floats(`${name}_scale`, factors)], [`${name}_calm`]);
    return { ...this.#write.bytes(calm, range, name), rows: state.scale.map((scale, i) => scale / factors[i]!) };
  }

  #pool(carried: string, present: string, { pooled, unit }: { pooled: string; unit: string }): void {
    const node = this.#graph.node.bind(this.#graph);
    node('Sub', [carried, 'state_rounder'], ['tokens']);
    node('Unsqueeze', [present, 'last_axis'], ['present_tokens']);
    node('Mul', ['tokens', 'present_tokens'], ['own_tokens']);
    this.#write.cast('own_tokens', 'tokens_double', elementType.double);
    this.#write.cast('present_tokens', 'present_double', elementType.double);
    node('ReduceSum', ['tokens_double', 'first_axis'], ['total'], { attributes: { keepdims: { int: 0 } } });
    node('ReduceSum', ['present_double', 'first_axis'], ['count'], { attributes: { keepdims: { int: 0 } } });
    node('Div', ['total', 'count'], ['pooled_double']);
    this.#write.cast('pooled_double', pooled, elementType.float);
    node('ReduceL2', ['total'], ['total_length'], { attributes: perToken });
    node('Div', ['total', 'total_length'], ['unit_double']);
    this.#write.cast('unit_double', unit, elementType.float);
  }
}
