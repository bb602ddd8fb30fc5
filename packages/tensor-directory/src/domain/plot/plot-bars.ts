import { Canvas } from './canvas.ts';
import { INK, MUTED, mix, PAPER, SERIES } from './colours.ts';
import { type Captions, drawCaptions, fitted, WIDTH } from './plot-frame.ts';
import { numberText } from './ticks.ts';

interface BarsPlot extends Captions {
  /** The largest first; none is negative. */
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

const TOP = 92;
const ROW = 24;
const LABELS = 320;

/** One bar to the right for each entry, with its figure. */
export function drawBars(plot: BarsPlot): Buffer {
  const canvas = new Canvas(WIDTH, TOP + plot.bars.length * ROW + 32);
  const most = Math.max(...plot.bars.map(({ value }) => value));
  const room = WIDTH - LABELS - 120;
  drawCaptions(canvas, plot, 40);
  for (const [i, { label, value }] of plot.bars.entries()) {
    const y = TOP + i * ROW;
    const width = most > 0 ? Math.max(2, (value / most) * room) : 2;
    canvas.text(fitted(label, 10, LABELS - 60), LABELS - 12, y + 15, { size: 10, colour: INK, align: 'right' });
    canvas.rect(LABELS, y + 4, width, ROW - 8, mix(SERIES[0]!, PAPER, 0.15));
    canvas.text(numberText(value), LABELS + width + 10, y + 15, { size: 10, colour: MUTED });
  }
  canvas.rect(LABELS - 1, TOP, 1, plot.bars.length * ROW, MUTED);
  return canvas.toPng();
}
