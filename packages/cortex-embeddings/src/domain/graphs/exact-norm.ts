import type { HalfTensors } from '../safetensors.ts';
import type { ByteGraph, Bytes } from './byte-graph.ts';
import { onGrid, rounder, steps } from './grid.ts';
import { minilm } from './minilm.ts';
import { type Outliers, sharesOf } from './minilm-outliers.ts';
import type { Range } from './minilm-ranges.ts';
import { type Attribute, elementType } from './onnx-writer.ts';

const { width } = minilm;
const perToken: Record<string, Attribute> = { axes: { ints: [-1] }, keepdims: { int: 1 } };

/** Tokens of length 1; scaled and shifted by channel they are the state. */
export interface Normed {
  readonly name: string;
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/** Which norm a sum goes into: that between two layers, or that in the middle of one. */
type SumKind = 'state' | 'middle';

/** The norm of a sum that lies on the grid of its kind. */
export function norm(
  graph: ByteGraph,
  weights: HalfTensors,
  sum: string,
  { source, name, kind }: { source: string; name: string; kind: SumKind },
): Normed {
  graph.node('ReduceMean', [sum], [`${name}_mean`], { attributes: perToken });
  graph.node('Add', [`${name}_mean`, `${kind}_rounder`], [`${name}_mean_sum`]);
  graph.node('Sub', [`${name}_mean_sum`, `${kind}_rounder`], [`${name}_mean_rounded`]);
  const centred = graph.node('Sub', [sum, `${name}_mean_rounded`], [`${name}_centred`]);
  const length = kind === 'state' ? longLength(graph, centred, name) : shortLength(graph, centred, name);
  return {
    name: graph.node('Div', [centred, length], [name]),
    // The length is that of all channels together, the norm's deviation that of one.
    scale: weights.floats(`${source}.LayerNorm.weight`).map((value) => value * Math.sqrt(width)),
    shift: weights.floats(`${source}.LayerNorm.bias`),
  };
}

/** Double holds the sum of squares exactly. */
function longLength(graph: ByteGraph, centred: string, name: string): string {
  graph.cast(centred, `${name}_double`, elementType.double);
  graph.node('ReduceL2', [`${name}_double`], [`${name}_length_double`], { attributes: perToken });
  return graph.cast(`${name}_length_double`, `${name}_length`, elementType.float);
}

/** So does float, where the steps are coarse and no token stands out. It takes a third of the time. */
function shortLength(graph: ByteGraph, centred: string, name: string): string {
  graph.node('Mul', [centred, centred], [`${name}_squares`]);
  const attributes: Record<string, Attribute> = { keepdims: { int: 1 } };
  graph.node('ReduceSum', [`${name}_squares`, 'last_axis'], [`${name}_square`], { attributes });
  return graph.node('Sqrt', [`${name}_square`], [`${name}_length`]);
}

/**
 * What the next sum takes over of the state, on the grid of that sum and less its rounder: the product that it is added to
 * holds one more, so that the sum holds none.
 */
export function carried(graph: ByteGraph, { name, scale, shift }: Normed, kind: SumKind): string {
  const scaled = graph.node('Mul', [name, graph.floats(`${name}_scale`, scale)], [`${name}_scaled`]);
  const shifts = shift.map((value) => onGrid(value, steps[kind]) - rounder(steps[kind]));
  return graph.node('Add', [scaled, graph.floats(`${name}_shift`, shifts)], [`${name}_carried`]);
}

/**
 * The state as bytes, without its shift, which is left to what follows the product. Its scale goes into the bytes or into
 * the matrix, whichever makes the error of int8 smaller there.
 */
export function stateBytes(
  graph: ByteGraph,
  state: Normed,
  { name, outliers, range, isScaled }: { name: string; outliers: Outliers; range: Range; isScaled: boolean },
): Bytes {
  const shares = sharesOf(outliers, width);
  const scales = state.scale.map((scale, i) => (isScaled ? scale : 1) * shares[i]!);
  const calm = graph.node('Mul', [state.name, graph.floats(`${name}_calm_scale`, scales)], [`${name}_calm`]);
  return { ...graph.bytes(calm, range, name), factors: state.scale.map((scale, i) => scale / scales[i]!) };
}
