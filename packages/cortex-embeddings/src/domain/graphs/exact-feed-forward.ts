import type { HalfTensors } from '../safetensors.ts';
import type { ByteGraph } from './byte-graph.ts';
import { type Normed, stateBytes } from './exact-norm.ts';
import { rounder, roundingBias, steps } from './grid.ts';
import { columnsOf, rowsOf, rowTimes, transposed } from './matrix.ts';
import { minilm } from './minilm.ts';
import type { LayerOutliers } from './minilm-outliers.ts';
import type { Range } from './minilm-ranges.ts';

const { width, innerWidth } = minilm;

/** As much as GELU goes below zero. */
const ZERO = Math.ceil(0.1701 / steps.gelu);
/** What a channel can hold. */
const FULL = (255 - ZERO) * steps.gelu;

/** The widening product, GELU and the narrowing product. */
export class ExactFeedForward {
  readonly #graph: ByteGraph;
  readonly #weights: HalfTensors;

  constructor(graph: ByteGraph, weights: HalfTensors) {
    this.#graph = graph;
    this.#weights = weights;
    graph.scalar('gelu_step', steps.gelu);
    graph.byte('gelu_zero', ZERO);
  }

  write(middle: Normed, source: string, name: (part: string) => string, outliers: LayerOutliers, range: Range): string {
    const channels = channelsWith(outliers.overflowing);
    const numbers = channels.map(({ channel }) => channel);
    const input = stateBytes(this.#graph, middle, {
      name: name('wide'),
      outliers: outliers.wide,
      range,
      isScaled: true,
    });
    const widening = columnsOf(
      transposed(this.#weights.floats(`${source}.intermediate.dense.weight`), innerWidth, width),
      innerWidth,
      numbers,
    );
    const shift = rowTimes(middle.shift, widening, channels.length);
    const bias = this.#weights.floats(`${source}.intermediate.dense.bias`);
    const shifts = channels.map(({ channel, from }, i) => bias[channel]! + shift[i]! - from);
    const wide = this.#graph.product(input, widening, roundingBias(shifts, steps.wide), name('wide'));
    const back = this.#graph.floats(
      name('wide_rounder'),
      channels.map(() => -rounder(steps.wide)),
    );
    // The form with a hyperbolic tangent: it differs by a fortieth of a step, and takes two thirds of the time.
    const gelu = this.#graph.node('FastGelu', [wide, back], [name('gelu')], { domain: 'com.microsoft' });
    const bytes = this.#graph.node('QuantizeLinear', [gelu, 'gelu_step', 'gelu_zero'], [name('gelu_bytes')]);
    const narrowing = rowsOf(
      transposed(this.#weights.floats(`${source}.output.dense.weight`), width, innerWidth),
      width,
      numbers,
    );
    return this.#graph.product(
      { name: bytes, step: steps.gelu, zero: 'gelu_zero' },
      narrowing,
      roundingBias(this.#weights.floats(`${source}.output.dense.bias`), steps.state),
      name('narrow'),
    );
  }
}

interface Channel {
  readonly channel: number;
  /** Where it begins: what is below is in the channels before. */
  readonly from: number;
}

/**
 * All channels; one that overflows goes on in others, each of which begins where the one before is full. GELU curves each of
 * them at its beginning, which makes the sum up to 0.19 too small there, of values between 5 and 25.
 */
function channelsWith(overflowing: LayerOutliers['overflowing']): Channel[] {
  const all = Array.from({ length: innerWidth }, (_, channel) => ({ channel, from: 0 }));
  const more = Object.entries(overflowing).flatMap(([channel, count]) =>
    Array.from({ length: count }, (_, i) => ({ channel: Number(channel), from: (i + 1) * FULL })),
  );
  return [...all, ...more];
}
