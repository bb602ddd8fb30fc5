/** Figures of a tensor. Minimum, maximum, mean and deviation are those of its finite values; `null` when there are none. */
export interface Statistics {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly std: number | null;
  readonly nanCount: number;
  readonly infCount: number;
  readonly zeroCount: number;
  readonly negativeCount: number;
  readonly positiveCount: number;
  readonly sum: number | null;
}

export interface Histogram {
  readonly edges: number[];
  readonly counts: number[];
}

/** Reads a tensor piece by piece, as often as it is asked to. */
export type Pieces = () => AsyncIterable<Float64Array> | Iterable<Float64Array>;

/** Two passes: the mean must be known before the deviation, and the range before the histogram. */
export async function describe(
  pieces: Pieces,
  bins: number,
): Promise<{ statistics: Statistics; histogram: Histogram }> {
  const seen = await survey(pieces);
  const finite = seen.count - seen.nanCount - seen.infCount;
  const mean = finite > 0 ? seen.sum.value() / finite : Number.NaN;
  const edges = histogramEdges(finite > 0 ? seen.min : 0, finite > 0 ? seen.max : 1, bins);
  const counts = new Array<number>(bins).fill(0);
  const squares = new Sum();
  for await (const piece of pieces()) {
    for (const value of piece) {
      if (!Number.isFinite(value)) continue;
      squares.add((value - mean) ** 2);
      counts[binOf(value, edges)]!++;
    }
  }
  const orNull = (value: number) => (finite > 0 && Number.isFinite(value) ? value : null);
  const statistics = {
    count: seen.count,
    min: orNull(seen.min),
    max: orNull(seen.max),
    mean: orNull(mean),
    std: orNull(Math.sqrt(squares.value() / finite)),
    nanCount: seen.nanCount,
    infCount: seen.infCount,
    zeroCount: seen.zeroCount,
    negativeCount: seen.negativeCount,
    positiveCount: seen.positiveCount,
    sum: orNull(seen.sum.value()),
  };
  return { statistics, histogram: { edges, counts } };
}

/** The middle of the finite values, or the mean of the two in the middle; `null` when there are none. */
export function medianOf(values: Float64Array): number | null {
  const finite = values.filter(Number.isFinite).sort();
  const half = finite.length / 2;
  if (finite.length === 0) return null;
  return finite.length % 2 === 1 ? finite[Math.floor(half)]! : (finite[half - 1]! + finite[half]!) / 2;
}

async function survey(pieces: Pieces) {
  const seen = {
    count: 0,
    nanCount: 0,
    infCount: 0,
    zeroCount: 0,
    negativeCount: 0,
    positiveCount: 0,
    min: Infinity,
    max: -Infinity,
    sum: new Sum(),
  };
  for await (const piece of pieces()) {
    seen.count += piece.length;
    for (const value of piece) {
      if (Number.isNaN(value)) seen.nanCount++;
      else if (value < 0) seen.negativeCount++;
      else if (value > 0) seen.positiveCount++;
      if (Number.isNaN(value)) continue;
      if (!Number.isFinite(value)) seen.infCount++;
      else {
        if (value === 0) seen.zeroCount++;
        if (value < seen.min) seen.min = value;
        if (value > seen.max) seen.max = value;
        seen.sum.add(value);
      }
    }
  }
  return seen;
}

/** NumPy's: evenly spaced, and one unit wide around a single value. */
function histogramEdges(min: number, max: number, bins: number): number[] {
  const [low, high] = min === max ? [min - 0.5, max + 0.5] : [min, max];
  const step = (high - low) / bins;
  const edges = Number.isFinite(step)
    ? Array.from({ length: bins + 1 }, (_, i) => i * step + low)
    : Array.from({ length: bins + 1 }, (_, i) => low * (1 - i / bins) + high * (i / bins));
  edges[bins] = high;
  return edges;
}

function binOf(value: number, edges: readonly number[]): number {
  const bins = edges.length - 1;
  const low = edges[0]!;
  const width = edges[bins]! - low;
  // Halved where the width alone is more than a double holds.
  const share = Number.isFinite(width) ? (value - low) / width : (value / 2 - low / 2) / (edges[bins]! / 2 - low / 2);
  let bin = Math.floor(share * bins);
  bin = Math.min(Math.max(bin, 0), bins - 1);
  // The division may land one bin off where a value lies on an edge.
  if (value < edges[bin]!) bin--;
  else if (bin < bins - 1 && value >= edges[bin + 1]!) bin++;
  return Math.max(bin, 0);
}

/** Neumaier's sum: millions of values lose no digits. */
class Sum {
  #total = 0;
  #lost = 0;

  add(value: number): void {
    const next = this.#total + value;
    this.#lost += Math.abs(this.#total) >= Math.abs(value) ? this.#total - next + value : value - next + this.#total;
    this.#total = next;
  }

  value(): number {
    return this.#total + (Number.isFinite(this.#lost) ? this.#lost : 0);
  }
}
