import { countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import type { TensorItem } from '../backends/interface.ts';
import { drawHeatmap } from '../domain/plot/plot-heatmap.ts';
import { drawHistogram } from '../domain/plot/plot-histogram.ts';
import { drawLines } from '../domain/plot/plot-line.ts';
import { numberText } from '../domain/plot/ticks.ts';
import { toDoubles } from '../domain/values/elements.ts';
import { type AxisPick, pickedShape } from '../domain/values/slice.ts';
import { describe } from '../domain/values/statistics.ts';
import { notPlottable } from '../errors.ts';
import type { TensorReader } from './tensor-reader.ts';

export type PlotKind = 'auto' | 'heatmap' | 'line' | 'histogram';

export interface Plot {
  readonly png: Buffer;
  readonly sentence: string;
}

/** Cells per axis; larger tensors are sampled. */
const MAX_CELLS = 1_000;
const MAX_POINTS = 200_000;
const MAX_SERIES = 8;
/** Values of all axes together, because they are counted in memory. */
const MAX_COUNTED = 20_000_000;

export class TensorPlotter {
  readonly #reader: TensorReader;

  constructor(reader: TensorReader) {
    this.#reader = reader;
  }

  async plot(item: TensorItem, kind: PlotKind, slice: string | undefined): Promise<Plot> {
    const picks = this.#reader.picks(item, slice);
    const shape = pickedShape(picks);
    if (countOf(shape) === 0) throw notPlottable(item.name, `the shape ${shapeText(shape)} holds no values`);
    const chosen = kind === 'auto' ? kindFor(shape) : kind;
    if (chosen !== 'histogram' && shape.length === 0) throw notPlottable(item.name, 'a single number has no picture');
    const title = slice?.trim() ? `${item.name}[${slice.trim().replace(/^\[|\]$/g, '')}]` : item.name;
    if (chosen === 'heatmap') return this.#heatmap(item, picks, title);
    return chosen === 'line' ? this.#lines(item, picks, title) : this.#histogram(item, picks, title);
  }

  async #heatmap(item: TensorItem, picks: readonly AxisPick[], title: string): Promise<Plot> {
    const { picks: flat, fixed } = withLast(picks, 2);
    const { picks: thin, steps } = thinned(flat, MAX_CELLS);
    const part = await this.#reader.part(item, thin);
    const [rows, columns] = part.shape.length === 1 ? [1, part.shape[0]!] : (part.shape as [number, number]);
    const [rowStep, columnStep] = steps.length === 1 ? [1, steps[0]!] : (steps as [number, number]);
    const values = toDoubles(part.dtype, part.data);
    const png = drawHeatmap({
      title,
      subtitle: await subtitleOf(item, picks, values),
      rows,
      columns,
      values,
      rowIndex: (row) => row * rowStep,
      columnIndex: (column) => column * columnStep,
      axes: { rows: axisName('row', rowStep), columns: axisName('column', columnStep) },
    });
    return { png, sentence: sentenceFor('Heatmap', title, item, [...fixedNote(fixed), ...stepNote(steps)]) };
  }

  async #lines(item: TensorItem, picks: readonly AxisPick[], title: string): Promise<Plot> {
    const { picks: flat, fixed } = withLast(picks, 2);
    const kept = flat.filter(({ keep }) => keep);
    const series = kept.length === 2 ? Math.min(kept[0]!.count, MAX_SERIES) : 1;
    const few = kept.length === 2 ? flat.map((axis) => (axis === kept[0] ? { ...axis, count: series } : axis)) : flat;
    const { picks: thin, steps } = thinned(few, MAX_POINTS);
    const part = await this.#reader.part(item, thin);
    const values = toDoubles(part.dtype, part.data);
    const length = values.length / series;
    const step = steps.at(-1)!;
    const png = drawLines({
      title,
      subtitle: await subtitleOf(item, picks, values),
      series: Array.from({ length: series }, (_, i) => ({
        label: `row ${i}`,
        values: values.subarray(i * length, (i + 1) * length),
      })),
      index: (point) => point * step,
      axis: axisName('index', step),
    });
    const left = kept.length === 2 && kept[0]!.count > series ? [`the first ${series} of ${kept[0]!.count} rows`] : [];
    return { png, sentence: sentenceFor('Line plot', title, item, [...fixedNote(fixed), ...left, ...stepNote(steps)]) };
  }

  async #histogram(item: TensorItem, picks: readonly AxisPick[], title: string): Promise<Plot> {
    const isWhole = countOf(pickedShape(picks)) === countOf(item.values.shape);
    const { picks: thin, steps } = isWhole ? { picks, steps: [] } : thinnedTogether(picks, MAX_COUNTED);
    const pieces = isWhole
      ? () => this.#reader.doubles(item)
      : await this.#reader.part(item, thin).then(({ dtype, data }) => () => [toDoubles(dtype, data)]);
    const { statistics, histogram } = await describe(pieces, 40);
    const { mean, std, nanCount, infCount } = statistics;
    const odd = nanCount + infCount > 0 ? ` · ${nanCount} NaN, ${infCount} infinite` : '';
    const spread = mean === null || std === null ? '' : ` · mean ${numberText(mean)} · std ${numberText(std)}`;
    const png = drawHistogram({ title, subtitle: `${kindText(item, picks)}${spread}${odd}`, histogram, mean });
    return { png, sentence: sentenceFor('Histogram', title, item, stepNote(steps)) };
  }
}

function kindFor(shape: readonly number[]): 'heatmap' | 'line' | 'histogram' {
  const lengths = shape.filter((size) => size > 1);
  if (shape.length === 2 && lengths.length === 2) return 'heatmap';
  return lengths.length === 1 ? 'line' : shape.length === 0 || lengths.length > 2 ? 'histogram' : 'line';
}

/** Keeps the last axes and takes the first entry of the others. */
function withLast(picks: readonly AxisPick[], wanted: number): { picks: AxisPick[]; fixed: number } {
  let surplus = picks.filter(({ keep }) => keep).length - wanted;
  const fixed = Math.max(0, surplus);
  return {
    fixed,
    picks: picks.map((axis) => (axis.keep && surplus-- > 0 ? { ...axis, count: 1, keep: false } : axis)),
  };
}

/** Samples every n-th entry of axes that are too long to show. */
function thinned(picks: readonly AxisPick[], max: number): { picks: AxisPick[]; steps: number[] } {
  const steps: number[] = [];
  const thin = picks.map((axis) => {
    if (!axis.keep) return axis;
    const step = Math.max(1, Math.ceil(axis.count / max));
    steps.push(step);
    return { ...axis, step: axis.step * step, count: Math.ceil(axis.count / step) };
  });
  return { picks: thin, steps };
}

/** Samples the longest axes until at most `max` values are left. */
function thinnedTogether(picks: readonly AxisPick[], max: number): { picks: AxisPick[]; steps: number[] } {
  const steps = picks.map(() => 1);
  const countAt = (axis: number) => Math.ceil(picks[axis]!.count / steps[axis]!);
  while (countOf(picks.map((_, axis) => countAt(axis))) > max) {
    const longest = picks.reduce((found, _, axis) => (countAt(axis) > countAt(found) ? axis : found), 0);
    steps[longest]! *= 2;
  }
  return {
    steps,
    picks: picks.map((pick, axis) => ({ ...pick, step: pick.step * steps[axis]!, count: countAt(axis) })),
  };
}

async function subtitleOf(item: TensorItem, picks: readonly AxisPick[], shown: Float64Array): Promise<string> {
  const { statistics } = await describe(() => [shown], 1);
  const { min, max, nanCount, infCount } = statistics;
  const range = min === null || max === null ? '' : ` · min ${numberText(min)} · max ${numberText(max)}`;
  const odd = nanCount + infCount > 0 ? ` · ${nanCount} NaN, ${infCount} infinite` : '';
  return `${kindText(item, picks)}${range}${odd}`;
}

const kindText = (item: TensorItem, picks: readonly AxisPick[]) =>
  `${item.values.dtype} ${shapeText(pickedShape(picks))}`;
const axisName = (name: string, step: number) => (step === 1 ? name : `${name} (1 of ${step} shown)`);
const fixedNote = (fixed: number) =>
  fixed > 0 ? [`index 0 of the first ${fixed === 1 ? 'axis' : `${fixed} axes`}`] : [];
const stepNote = (steps: readonly number[]) =>
  steps.some((step) => step > 1) ? ['every n-th value, since there are more than fit'] : [];

function sentenceFor(what: string, title: string, item: TensorItem, shows: readonly string[]): string {
  const rest = shows.length > 0 ? ` It shows ${shows.join(', ')}.` : '';
  return `${what} of tensor '${title}' with shape ${shapeText(item.values.shape)} and dtype ${item.values.dtype}.${rest}`;
}
