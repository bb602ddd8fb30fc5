import { onGrid, rounder, steps } from './grid.ts';
import { besides, quantised, rowsTimes, rowTimes, transposed } from './matrix.ts';
import { minilm } from './minilm.ts';
import {
  type LayerOutliers,
  type Outliers,
  outliersOfAttention,
  outliersOfLayers,
  sharesOf,
} from './minilm-outliers.ts';
import { type Attribute, elementType, type GraphWriter } from './onnx-writer.ts';
import type { HalfTensors } from './safetensors.ts';

const { layers, heads, width, innerWidth } = minilm;
const headWidth = width / heads;
const microsoft = { domain: 'com.microsoft' };
const perToken: Record<string, Attribute> = { axes: { ints: [-1] }, keepdims: { int: 1 } };
const byHead: Record<string, Attribute> = { perm: { ints: [0, 2, 1, 3] } };

// AVX2 adds pairs of products in 16 bits. With weights of at most 63 the sums cannot saturate.
const INT8_RANGE = 63;
// GELU is never below -0.17.
const BENT_ZERO = Math.round(0.17 / steps.bent);

/** Tokens of length 1; scaled and shifted by channel they are the state. */
interface Normed {
  readonly name: string;
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

interface StateProduct {
  readonly columns: number;
  readonly name: string;
  readonly outliers: Outliers;
  readonly scaled: 'matrix' | 'input';
}

/**
 * The layers in int8, written so that every machine computes the same bits: products are sums of integers, all other
 * sums are exact because their terms lie on a grid, and everything between is one correctly rounded operation at a time.
 * Only the exponential and GELU differ from machine to machine; what goes into them lies on a grid, and what comes out is
 * rounded to one that is coarser than that difference.
 */
export class ExactLayers {
  readonly #graph: GraphWriter;
  readonly #weights: HalfTensors;

  constructor(graph: GraphWriter, weights: HalfTensors) {
    this.#graph = graph;
    this.#weights = weights;
  }

  write(embedded: string, outputs: { pooled: string; unit: string }): void {
    this.#scalar('state_rounder', rounder(steps.state));
    this.#scalar('attention_rounder', rounder(steps.attention));
    this.#scalar('bent_step', steps.bent);
    this.#graph.constant('bent_zero', elementType.uint8, [], Uint8Array.of(BENT_ZERO));
    this.#integers('heads_shape', [0, 0, 3 * heads, headWidth]);
    this.#integers('tokens_shape', [0, 0, width]);
    this.#integers('last_axis', [-1]);
    this.#integers('token_axis', [1]);

    let sum = this.#graph.node('Add', [embedded, 'state_rounder'], ['embedded_sum']);
    for (let index = 0; index < layers; index++) sum = this.#layer(sum, index);
    const state = this.#norm(sum, `encoder.layer.${layers - 1}.output`, 'last');
    this.#pool(this.#carried(state, new Float32Array(width), 'last'), outputs);
  }

  /** From the sum that goes into the layer's first norm to the one that goes into the norm of the next layer. */
  #layer(sum: string, index: number): string {
    const source = `encoder.layer.${index}`;
    const name = (part: string) => `layer${index}_${part}`;
    const outliers = outliersOfLayers[index]!;
    const state = this.#norm(sum, index === 0 ? 'embeddings' : `encoder.layer.${index - 1}.output`, name('state'));
    const attended = this.#attention(state, `${source}.attention.self`, name('attention'), outliersOfAttention);
    const mixing = transposed(this.#weights.floats(`${source}.attention.output.dense.weight`), width, width);
    const mixed = this.#product(attended.name, mixing, width, name('mixed'));
    // Shares of attention sum to 1, so what is the same in every value can be added after them.
    const mixedBias = rowTimes(attended.bias, mixing, width);
    const denseBias = this.#weights.floats(`${source}.attention.output.dense.bias`);
    const carried = this.#carried(
      state,
      denseBias.map((value, i) => value + mixedBias[i]!),
      name('state'),
    );
    const middleSum = this.#graph.node('Add', [mixed, carried], [name('middle_sum')]);

    const middle = this.#norm(middleSum, `${source}.attention.output`, name('middle'));
    const narrow = this.#bent(middle, source, name, outliers);
    const carriedOn = this.#carried(middle, this.#weights.floats(`${source}.output.dense.bias`), name('middle'));
    return this.#graph.node('Add', [narrow, carriedOn], [name('sum')]);
  }

  /** `sum` still holds the rounder. Centred tokens lie on the grid; double holds the sum of their squares exactly. */
  #norm(sum: string, source: string, name: string): Normed {
    const node = this.#graph.node.bind(this.#graph);
    node('Sub', [sum, 'state_rounder'], [`${name}_rounded`]);
    node('ReduceMean', [`${name}_rounded`], [`${name}_mean`], { attributes: perToken });
    node('Add', [`${name}_mean`, 'state_rounder'], [`${name}_mean_sum`]);
    node('Sub', [`${name}_mean_sum`, 'state_rounder'], [`${name}_mean_rounded`]);
    node('Sub', [`${name}_rounded`, `${name}_mean_rounded`], [`${name}_centred`]);
    this.#cast(`${name}_centred`, `${name}_centred_double`, elementType.double);
    node('ReduceL2', [`${name}_centred_double`], [`${name}_length_double`], { attributes: perToken });
    this.#cast(`${name}_length_double`, `${name}_length`, elementType.float);
    return {
      name: node('Div', [`${name}_centred`, `${name}_length`], [name]),
      // The length is that of all channels together, the norm's deviation that of one.
      scale: this.#weights.floats(`${source}.LayerNorm.weight`).map((value) => value * Math.sqrt(width)),
      shift: this.#weights.floats(`${source}.LayerNorm.bias`),
    };
  }

  /** What the next sum takes over: the state and the bias of the product it is added to, on the grid, with the rounder. */
  #carried({ name, scale, shift }: Normed, bias: Float32Array, prefix: string): string {
    const scaled = this.#graph.node('Mul', [name, this.#graph.floats(`${prefix}_scale`, scale)], [`${prefix}_scaled`]);
    const shifts = shift.map((value, i) => onGrid(value + bias[i]!, steps.state) + rounder(steps.state));
    return this.#graph.node('Add', [scaled, this.#graph.floats(`${prefix}_shift`, shifts)], [`${prefix}_carried`]);
  }

  /** Softmax over scores, and the values weighted by it; `bias` is left to what follows. */
  #attention(state: Normed, source: string, name: string, outliers: Outliers): { name: string; bias: Float64Array } {
    const node = this.#graph.node.bind(this.#graph);
    const parts = ['query', 'key', 'value'];
    const root = Math.sqrt(headWidth);
    const read = (part: string, kind: string) =>
      this.#weights.floats(`${source}.${part}.${kind}`).map((value) => (part === 'query' ? value / root : value));
    const matrices = parts.map((part) => transposed(read(part, 'weight'), width, width));
    const matrix = besides(matrices, width, width);
    const { product, shift } = this.#stateProduct(state, matrix, {
      columns: 3 * width,
      name,
      outliers,
      scaled: 'matrix',
    });
    const biases = besides(
      parts.map((part) => read(part, 'bias')),
      1,
      width,
    );
    const bias = shift.map((value, i) => value + biases[i]!);
    const step = (i: number) => (i < width ? steps.query : i < 2 * width ? steps.key : steps.value);
    const rounders = bias.map((_, i) => rounder(step(i)));
    const shifts = rounders.map((value, i) => value + (i < 2 * width ? onGrid(bias[i]!, step(i)) : 0));

    node('Add', [product, this.#graph.floats(`${name}_shift`, shifts)], [`${name}_sum`]);
    node('Sub', [`${name}_sum`, this.#graph.floats(`${name}_rounder`, rounders)], [`${name}_rounded`]);
    node('Reshape', [`${name}_rounded`, 'heads_shape'], [`${name}_by_token`]);
    node('Transpose', [`${name}_by_token`], [`${name}_by_head`], { attributes: byHead });
    const [query, key, value] = [`${name}_query`, `${name}_key`, `${name}_value`] as const;
    node('Split', [`${name}_by_head`], [query, key, value], { attributes: { axis: { int: 1 } } });
    node('FusedMatMul', [query, key], [`${name}_scores`], { attributes: { transB: { int: 1 } }, ...microsoft });
    node('ReduceMax', [`${name}_scores`], [`${name}_highest`], { attributes: perToken });
    node('Sub', [`${name}_scores`, `${name}_highest`], [`${name}_below`]);
    node('Exp', [`${name}_below`], [`${name}_exp`]);
    node('Add', [`${name}_exp`, 'attention_rounder'], [`${name}_exp_sum`]);
    node('Sub', [`${name}_exp_sum`, 'attention_rounder'], [`${name}_shares`]);
    node('ReduceSum', [`${name}_shares`, 'last_axis'], [`${name}_whole`], { attributes: { keepdims: { int: 1 } } });
    node('MatMul', [`${name}_shares`, value], [`${name}_weighted`]);
    node('Div', [`${name}_weighted`, `${name}_whole`], [`${name}_attended`]);
    node('Transpose', [`${name}_attended`], [`${name}_attended_by_token`], { attributes: byHead });
    return {
      name: node('Reshape', [`${name}_attended_by_token`, 'tokens_shape'], [`${name}_joined`]),
      bias: bias.slice(2 * width),
    };
  }

  /** The widening product, GELU and the narrowing product. */
  #bent(middle: Normed, source: string, name: (part: string) => string, outliers: LayerOutliers): string {
    const widening = transposed(this.#weights.floats(`${source}.intermediate.dense.weight`), innerWidth, width);
    const { product, shift } = this.#stateProduct(middle, widening, {
      columns: innerWidth,
      name: name('wide'),
      outliers: outliers.wide,
      scaled: 'input',
    });
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
    const [weight, scale, zero] = this.#quantised(rowsTimes(narrowing, width, factors), width, name('narrow'));
    const inputs = [bytes, weight, 'bent_step', scale, 'bent_zero', zero];
    return this.#graph.node('MatMulIntegerToFloat', inputs, [name('narrow')], microsoft);
  }

  /**
   * A product of the state; `shift` is still to be added to it. The state's scale is in the matrix or in the input,
   * whichever makes the error of int8 smaller there.
   */
  #stateProduct(state: Normed, matrix: Float32Array, { columns, name, outliers, scaled }: StateProduct) {
    const shares = sharesOf(outliers, width);
    const factors = state.scale.map((scale, i) => (scaled === 'input' ? scale : 1) * shares[i]!);
    const input = this.#graph.node('Mul', [state.name, this.#graph.floats(`${name}_scale`, factors)], [`${name}_calm`]);
    const rows = state.scale.map((scale, i) => scale / factors[i]!);
    const product = this.#product(input, rowsTimes(matrix, columns, rows), columns, name);
    return { product, shift: rowTimes(state.shift, matrix, columns) };
  }

  #product(input: string, matrix: Float32Array, columns: number, name: string): string {
    const weight = this.#quantised(matrix, columns, name);
    return this.#graph.node('DynamicQuantizeMatMul', [input, ...weight], [`${name}_product`], microsoft);
  }

  #quantised(matrix: Float32Array, columns: number, name: string): [string, string, string] {
    const rows = matrix.length / columns;
    const { values, scales } = quantised(matrix, rows, columns, INT8_RANGE);
    return [
      this.#graph.constant(`${name}_weight`, elementType.int8, [rows, columns], values),
      this.#graph.floats(`${name}_weight_scale`, scales),
      this.#graph.constant(`${name}_weight_zero`, elementType.int8, [columns], new Int8Array(columns)),
    ];
  }

  #pool(carried: string, { pooled, unit }: { pooled: string; unit: string }): void {
    const node = this.#graph.node.bind(this.#graph);
    node('Sub', [carried, 'state_rounder'], ['tokens']);
    this.#cast('tokens', 'tokens_double', elementType.double);
    node('ReduceMean', ['tokens_double'], ['pooled_double'], {
      attributes: { axes: { ints: [1] }, keepdims: { int: 0 } },
    });
    this.#cast('pooled_double', pooled, elementType.float);
    node('ReduceSum', ['tokens_double', 'token_axis'], ['total'], { attributes: { keepdims: { int: 0 } } });
    node('ReduceL2', ['total'], ['total_length'], { attributes: perToken });
    node('Div', ['total', 'total_length'], ['unit_double']);
    this.#cast('unit_double', unit, elementType.float);
  }

  #cast(from: string, to: string, type: number): void {
    this.#graph.node('Cast', [from], [to], { attributes: { to: { int: type } } });
  }

  #scalar(name: string, value: number): void {
    this.#graph.constant(name, elementType.float, [], Float32Array.of(value));
  }

  #integers(name: string, values: readonly number[]): void {
    this.#graph.constant(name, elementType.int64, [values.length], BigInt64Array.from(values.map(BigInt)));
  }
}
