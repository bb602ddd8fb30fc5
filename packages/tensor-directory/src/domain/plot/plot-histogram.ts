import type { Histogram } from '../values/statistics.ts';
import { Canvas } from './canvas.ts';
import { INK, MUTED, mix, PAPER, SERIES } from './colours.ts';
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
import { numberText, shareOf, ticksFor } from './ticks.ts';

interface HistogramPlot extends Captions {
  readonly histogram: Histogram;
  readonly mean: number | null;
}

const AREA: Area = { x: 92, y: 92, width: 828, height: 430 };
const BAR = SERIES[0]!;

/** How often values fall into each stretch, with a line at the mean. */
export function drawHistogram(plot: HistogramPlot): Buffer {
  const canvas = new Canvas(WIDTH, HEIGHT);
  const { edges, counts } = plot.histogram;
  const low = edges[0]!;
  const high = edges.at(-1)!;
  const most = Math.max(1, ...counts);
  const top = most * 1.08;
  const x = (value: number) => AREA.x + shareOf(value, low, high) * AREA.width;
  const y = (count: number) => AREA.y + AREA.height - (count / top) * AREA.height;
  drawCaptions(canvas, plot, 40);
  drawLeftAxis(
    canvas,
    AREA,
    ticksFor(0, top, 6).filter(({ value }) => Number.isInteger(value)),
    y,
    true,
  );
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    const left = Math.round(x(edges[i]!));
    const width = Math.max(1, Math.round(x(edges[i + 1]!)) - left - 1);
    // Even a single value among millions can be seen.
    const height = Math.max(2, AREA.y + AREA.height - y(count));
    canvas.rect(left, AREA.y + AREA.height - height, width, height, mix(BAR, PAPER, 0.15));
  }
  canvas.rect(AREA.x, AREA.y + AREA.height, AREA.width, 1, MUTED);
  drawBottomAxis(canvas, AREA, ticksFor(low, high, 9), x);
  if (plot.mean !== null) drawMean(canvas, x(plot.mean), plot.mean);
  drawAxisNames(canvas, AREA, { bottom: 'value', left: 'count' });
  return canvas.toPng();
}

function drawMean(canvas: Canvas, x: number, mean: number): void {
  for (let y = AREA.y; y < AREA.y + AREA.height; y += 10) canvas.rect(x - 1, y, 2, 6, SERIES[1]!);
  const right = x > AREA.x + AREA.width * 0.8;
  canvas.text(`mean ${numberText(mean)}`, right ? x - 8 : x + 8, AREA.y + 12, {
    size: 10,
    colour: INK,
    align: right ? 'right' : 'left',
  });
}
