import type { HalfTensors } from '../safetensors.ts';
import type { ByteGraph } from './byte-graph.ts';
import { ExactAttention } from './exact-attention.ts';
import { ExactFeedForward } from './exact-feed-forward.ts';
import { carried, norm } from './exact-norm.ts';
import { rounder, roundingBias, steps } from './grid.ts';
import { rowTimes, transposed } from './matrix.ts';
import { minilm } from './minilm.ts';
import { outliersOfLayers } from './minilm-outliers.ts';
import { rangesOfLayers } from './minilm-ranges.ts';
import { elementType } from './onnx-writer.ts';

const { layers, width } = minilm;

/**
 * The layers in int8, written so that every machine computes the same bits: products are sums of integers, all other
 * sums are exact because their terms lie on a grid, and everything between is one correctly rounded operation at a time.
 * Only the exponential and GELU differ from machine to machine; what goes into them lies on a grid, and what comes out is
 * rounded to one that is coarser than that difference.
 *
 * The state is [tokens, texts, channels]. Nothing in it depends on the other texts, so they share a run freely.
 */
export class ExactLayers {
  readonly #graph: ByteGraph;
  readonly #weights: HalfTensors;
  readonly #feedForward: ExactFeedForward;

  constructor(graph: ByteGraph, weights: HalfTensors) {
    this.#graph = graph;
    this.#weights = weights;
    this.#feedForward = new ExactFeedForward(graph, weights);
    graph.scalar('state_rounder', rounder(steps.state));
    graph.scalar('middle_rounder', rounder(steps.middle));
    graph.integers('first_axis', [0]);
    graph.integers('last_axis', [-1]);
  }

  write(embedded: string, present: string, outputs: { pooled: string; unit: string }): void {
    const presentTokens = this.#graph.node('Unsqueeze', [present, 'last_axis'], ['present_tokens']);
    this.#graph.node('Add', [embedded, 'state_rounder'], ['embedded_sum']);
    let sum = this.#graph.node('Sub', ['embedded_sum', 'state_rounder'], ['embedded_rounded']);
    const attention = new ExactAttention(this.#graph, this.#weights, presentTokens);
    for (let index = 0; index < layers; index++) sum = this.#layer(sum, attention, index);
    const source = `encoder.layer.${layers - 1}.output`;
    const state = norm(this.#graph, this.#weights, sum, { source, name: 'last', kind: 'state' });
    this.#pool(carried(this.#graph, state, 'state'), presentTokens, outputs);
  }

  /** From the sum that goes into the layer's first norm to the one that goes into the norm of the next layer. */
  #layer(sum: string, attention: ExactAttention, index: number): string {
    const source = `encoder.layer.${index}`;
    const before = index === 0 ? 'embeddings' : `encoder.layer.${index - 1}.output`;
    const name = (part: string) => `layer${index}_${part}`;
    const ranges = rangesOfLayers[index]!;
    const state = norm(this.#graph, this.#weights, sum, { source: before, name: name('state'), kind: 'state' });
    const attended = attention.write(state, `${source}.attention.self`, name('attention'), ranges);
    const mixing = transposed(this.#weights.floats(`${source}.attention.output.dense.weight`), width, width);
    const denseBias = this.#weights.floats(`${source}.attention.output.dense.bias`);
    const bias = rowTimes(attended.bias, mixing, width).map((value, i) => value + denseBias[i]!);
    const mixed = this.#graph.product(attended.bytes, mixing, roundingBias(bias, steps.middle), name('mixed'));
    const middleSum = this.#graph.node('Add', [mixed, carried(this.#graph, state, 'middle')], [name('middle_sum')]);

    const middle = norm(this.#graph, this.#weights, middleSum, {
      source: `${source}.attention.output`,
      name: name('middle'),
      kind: 'middle',
    });
    const narrow = this.#feedForward.write(middle, source, name, outliersOfLayers[index]!, ranges.wide);
    return this.#graph.node('Add', [narrow, carried(this.#graph, middle, 'state')], [name('sum')]);
  }

  #pool(state: string, present: string, { pooled, unit }: { pooled: string; unit: string }): void {
    const node = this.#graph.node.bind(this.#graph);
    node('Add', [state, 'state_rounder'], ['tokens']);
    node('Mul', ['tokens', present], ['own_tokens']);
    this.#graph.cast('own_tokens', 'tokens_double', elementType.double);
    this.#graph.cast(present, 'present_double', elementType.double);
    node('ReduceSum', ['tokens_double', 'first_axis'], ['total'], { attributes: { keepdims: { int: 0 } } });
    node('ReduceSum', ['present_double', 'first_axis'], ['count'], { attributes: { keepdims: { int: 0 } } });
    node('Div', ['total', 'count'], ['pooled_double']);
    this.#graph.cast('pooled_double', pooled, elementType.float);
    node('ReduceL2', ['total'], ['total_length'], { attributes: { axes: { ints: [-1] }, keepdims: { int: 1 } } });
    node('Div', ['total', 'total_length'], ['unit_double']);
    this.#graph.cast('unit_double', unit, elementType.float);
  }
}
