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
import { ticksFor } from './ticks.ts';

interface DifferencesPlot extends Captions {
  /** How many differences have a size from 2^e up to 2^(e+1), by e. */
  readonly sizes: ReadonlyMap<number, number>;
  readonly equal: number;
}

const AREA: Area = { x: 92, y: 92, width: 828, height: 430 };
const LOG10_2 = Math.log10(2);

/** How large the differences are, on an axis of powers of ten: they span many of them. */
export function drawDifferences(plot: DifferencesPlot): Buffer {
  const canvas = new Canvas(WIDTH, HEIGHT);
  const exponents = [...plot.sizes.keys()].sort((a, b) => a - b);
  const low = (exponents[0] ?? 0) - 1;
  const high = (exponents.at(-1) ?? 0) + 2;
  const top = Math.max(1, ...plot.sizes.values()) * 1.08;
  const x = (exponent: number) => AREA.x + ((exponent - low) / (high - low)) * AREA.width;
  const y = (count: number) => AREA.y + AREA.height - (count / top) * AREA.height;
  drawCaptions(canvas, plot, 40);
  const counts = ticksFor(0, top, 6).filter(({ value }) => Number.isInteger(value));
  drawLeftAxis(canvas, AREA, counts, y, true);
  for (const [exponent, count] of plot.sizes) {
    const left = Math.round(x(exponent));
    const height = Math.max(2, AREA.y + AREA.height - y(count));
    const width = Math.max(1, Math.round(x(exponent + 1)) - left - 1);
    canvas.rect(left, AREA.y + AREA.height - height, width, height, mix(SERIES[0]!, PAPER, 0.15));
  }
  canvas.rect(AREA.x, AREA.y + AREA.height, AREA.width, 1, MUTED);
  drawBottomAxis(canvas, AREA, powersOfTen(low, high), (power) => x(power / LOG10_2));
  if (plot.equal > 0)
    canvas.text(`${plot.equal} equal`, AREA.x + AREA.width, AREA.y + 12, { size: 10, colour: INK, align: 'right' });
  drawAxisNames(canvas, AREA, { bottom: 'size of the difference', left: 'count' });
  return canvas.toPng();
}

function powersOfTen(low: number, high: number): { value: number; label: string }[] {
  const [from, to] = [Math.ceil(low * LOG10_2), Math.floor(high * LOG10_2)];
  const step = Math.max(1, Math.ceil((to - from) / 10));
  const ticks: { value: number; label: string }[] = [];
  for (let power = from; power <= to; power += step)
    ticks.push({ value: power, label: `1e${power}`.replace('-', '−') });
  return ticks;
}
