import { Canvas } from './canvas.ts';
import { INK, MUTED, SERIES } from './colours.ts';
import {
  type Area,
  type Captions,
  drawAxisNames,
  drawBottomAxis,
  drawCaptions,
  drawLeftAxis,
  HEIGHT,
  WIDTH,
} from './plot-frame.ts';
import type { Stroke } from './stroke-font.ts';
import { shareOf, ticksFor } from './ticks.ts';

interface LinePlot extends Captions {
  readonly series: readonly { readonly label: string; readonly values: Float64Array }[];
  /** Index of a point in the tensor, where not all are shown. */
  readonly index: (point: number) => number;
  readonly axis: string;
}

const AREA: Area = { x: 92, y: 92, width: 828, height: 430 };
/** With fewer points than this each one is marked. */
const MARKED = 60;

/** Values over their index. A gap in the line is a value that is not a finite number. */
export function drawLines(plot: LinePlot): Buffer {
  const canvas = new Canvas(WIDTH, HEIGHT);
  const [low, high] = paddedRange(plot.series.map(({ values }) => values));
  const length = plot.series[0]?.values.length ?? 0;
  const x = (point: number) => AREA.x + (length > 1 ? (point / (length - 1)) * (AREA.width - 1) : AREA.width / 2);
  const y = (value: number) => AREA.y + (1 - shareOf(value, low, high)) * AREA.height;
  drawCaptions(canvas, plot, 40);
  drawLeftAxis(canvas, AREA, ticksFor(low, high, 7), y, true);
  if (low < 0 && high > 0) canvas.rect(AREA.x, y(0), AREA.width, 1, MUTED);
  const last = plot.index(Math.max(0, length - 1));
  const ticks = ticksFor(0, Math.max(1, last), 10).filter(({ value }) => Number.isInteger(value));
  drawBottomAxis(
    canvas,
    AREA,
    ticks,
    (value) => AREA.x + (last > 0 ? (value / last) * (AREA.width - 1) : AREA.width / 2),
  );
  canvas.rect(AREA.x, AREA.y + AREA.height, AREA.width, 1, MUTED);
  for (const [i, { values }] of plot.series.entries()) {
    const colour = SERIES[i % SERIES.length]!;
    canvas.strokes(linesThrough(values, x, y), 2, colour);
    if (values.length <= MARKED) canvas.strokes(marks(values, x, y), 6, colour);
  }
  if (plot.series.length > 1) drawLegend(canvas, plot);
  drawAxisNames(canvas, AREA, { bottom: plot.axis, left: 'value' });
  return canvas.toPng();
}

type Place = (value: number) => number;

/** At most two points a pixel: the lowest and the highest there, so that no peak is lost. */
function linesThrough(values: Float64Array, x: Place, y: Place): Stroke[] {
  const strokes: (readonly [number, number])[][] = [];
  let line: (readonly [number, number])[] = [];
  const cell = Math.max(1, Math.floor(values.length / AREA.width));
  for (let from = 0; from < values.length; from += cell) {
    const points = extremes(values, from, Math.min(values.length, from + cell));
    if (points.length === 0) {
      if (line.length > 0) strokes.push(line);
      line = [];
    }
    for (const point of points) line.push([x(point), y(values[point]!)]);
  }
  return line.length > 0 ? [...strokes, line] : strokes;
}

function extremes(values: Float64Array, from: number, to: number): number[] {
  let low = -1;
  let high = -1;
  for (let i = from; i < to; i++) {
    if (!Number.isFinite(values[i]!)) continue;
    if (low < 0 || values[i]! < values[low]!) low = i;
    if (high < 0 || values[i]! > values[high]!) high = i;
  }
  if (low < 0) return [];
  return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
}

function marks(values: Float64Array, x: Place, y: Place): Stroke[] {
  return [...values].flatMap((value, i): Stroke[] => (Number.isFinite(value) ? [[[x(i), y(value)]]] : []));
}

function drawLegend(canvas: Canvas, { series }: LinePlot): void {
  for (const [i, { label }] of series.entries()) {
    const left = AREA.x + 14 + (i % 8) * 100;
    canvas.strokes(
      [
        [
          [left, AREA.y - 8],
          [left + 20, AREA.y - 8],
        ],
      ],
      3,
      SERIES[i % SERIES.length]!,
    );
    canvas.text(label, left + 28, AREA.y - 4, { size: 9.5, colour: INK });
  }
}

function paddedRange(all: readonly Float64Array[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of all) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return [0, 1];
  if (low === high) return [low - Math.max(1, Math.abs(low) / 10), high + Math.max(1, Math.abs(high) / 10)];
  const margin = (high - low) * 0.06;
  return Number.isFinite(margin) ? [low - margin, high + margin] : [low, high];
}
