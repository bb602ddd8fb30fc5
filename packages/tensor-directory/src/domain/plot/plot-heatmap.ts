import { Canvas } from './canvas.ts';
import { BLANK, diverging, GRID, INK, isLight, MUTED, type Rgb, type Scale, sequential } from './colours.ts';
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
import { textWidth } from './stroke-font.ts';
import { indexTicks, numberText, shareOf, ticksFor } from './ticks.ts';

export interface Heatmap extends Captions {
  readonly rows: number;
  readonly columns: number;
  /** Row by row. */
  readonly values: Float64Array;
  /** Index of a row and of a column in the tensor, where not all are shown. */
  readonly rowIndex: (row: number) => number;
  readonly columnIndex: (column: number) => number;
  readonly axes: { readonly rows: string; readonly columns: string };
}

const ROOM: Area = { x: 92, y: 92, width: 720, height: 430 };
const BAR = { gap: 28, width: 18 };
/** Leaves room for a title. */
const MIN_WIDTH = 640;

/** Each value as a coloured cell, with a bar that says which colour means what. */
export function drawHeatmap(map: Heatmap): Buffer {
  const area = areaFor(map.rows, map.columns);
  const canvas = new Canvas(
    Math.min(WIDTH, Math.max(MIN_WIDTH, area.x + area.width + BAR.gap + BAR.width + 84)),
    HEIGHT,
  );
  const range = rangeOf(map.values);
  // Where values lie on both sides of zero, zero is what the eye should find first.
  const isDiverging = range.low < 0 && range.high > 0;
  const reach = Math.max(-range.low, range.high);
  const [low, high] = isDiverging ? [-reach, reach] : [range.low, range.high];
  const scale = isDiverging ? diverging : sequential;
  const colourOf = (value: number): Rgb => (Number.isNaN(value) ? BLANK : scale(shareOf(value, low, high)));
  drawCaptions(canvas, map, 40);
  drawCells(canvas, area, map, colourOf);
  writeValues(canvas, area, map, colourOf);
  canvas.frame(area.x - 1, area.y - 1, area.width + 2, area.height + 2, MUTED);
  const rowTicks = indexTicks(map.rows, Math.min(10, area.height / 36)).map((row) => ({
    value: row,
    label: String(map.rowIndex(row)),
  }));
  const columnTicks = indexTicks(map.columns, Math.min(12, area.width / 64)).map((column) => ({
    value: column,
    label: String(map.columnIndex(column)),
  }));
  drawLeftAxis(canvas, area, rowTicks, (row) => area.y + ((row + 0.5) * area.height) / map.rows, false);
  drawBottomAxis(canvas, area, columnTicks, (column) => area.x + ((column + 0.5) * area.width) / map.columns);
  drawAxisNames(canvas, area, { bottom: map.axes.columns, left: map.axes.rows });
  drawBar(canvas, area, scale, low, high);
  return canvas.toPng();
}

/** Cells are square unless that would leave a thread of a picture. */
function areaFor(rows: number, columns: number): Area {
  const ratio = columns / rows;
  if (ratio > 6 || ratio < 1 / 3) return ROOM;
  const cell = Math.min(ROOM.width / columns, ROOM.height / rows);
  return { ...ROOM, width: Math.round(cell * columns), height: Math.round(cell * rows) };
}

function drawCells(
  canvas: Canvas,
  area: Area,
  { rows, columns, values }: Heatmap,
  colourOf: (value: number) => Rgb,
): void {
  for (let y = 0; y < area.height; y++) {
    const row = Math.floor((y * rows) / area.height);
    for (let x = 0; x < area.width; x++) {
      const value = values[row * columns + Math.floor((x * columns) / area.width)]!;
      const hatched = Number.isNaN(value) && (x + y) % 9 < 2;
      canvas.set(area.x + x, area.y + y, hatched ? GRID : colourOf(value));
    }
  }
}

/** In a small table the figures themselves are worth more than their colours. */
function writeValues(
  canvas: Canvas,
  area: Area,
  { rows, columns, values }: Heatmap,
  colourOf: (value: number) => Rgb,
): void {
  const width = area.width / columns;
  const height = area.height / rows;
  const size = Math.min(14, height / 3, width / 6);
  if (size < 7) return;
  for (let i = 0; i < values.length; i++) {
    const text = numberText(values[i]!);
    if (textWidth(text, size) > width - 8) continue;
    const x = area.x + ((i % columns) + 0.5) * width;
    const y = area.y + (Math.floor(i / columns) + 0.5) * height + size / 2;
    canvas.text(text, x, y, { size, align: 'centre', colour: isLight(colourOf(values[i]!)) ? INK : [255, 255, 255] });
  }
}

function drawBar(canvas: Canvas, area: Area, scale: Scale, low: number, high: number): void {
  const x = area.x + area.width + BAR.gap;
  for (let y = 0; y < area.height; y++) canvas.rect(x, area.y + y, BAR.width, 1, scale(1 - y / (area.height - 1)));
  canvas.frame(x - 1, area.y - 1, BAR.width + 2, area.height + 2, MUTED);
  for (const { value, label } of ticksFor(low, high, Math.max(2, Math.min(6, area.height / 50)))) {
    const y = area.y + (1 - shareOf(value, low, high)) * (area.height - 1);
    canvas.rect(x + BAR.width + 1, y, 4, 1, MUTED);
    canvas.text(label, x + BAR.width + 12, y + 5, { size: 10, colour: MUTED });
  }
}

function rangeOf(values: Float64Array): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}
