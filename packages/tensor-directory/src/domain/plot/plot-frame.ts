import type { Canvas } from './canvas.ts';
import { GRID, INK, MUTED } from './colours.ts';
import { textWidth } from './stroke-font.ts';
import type { Tick } from './ticks.ts';

/** What every plot says about itself. */
export interface Captions {
  readonly title: string;
  readonly subtitle: string;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const WIDTH = 960;
export const HEIGHT = 600;
const LABEL = 10;

export function drawCaptions(canvas: Canvas, { title, subtitle }: Captions, left: number): void {
  const room = canvas.width - left - 24;
  canvas.text(fitted(title, 16, room), left, 38, { size: 16, colour: INK, bold: true });
  canvas.text(fitted(subtitle, 10.5, room), left, 62, { size: 10.5, colour: MUTED });
}

/** Grid lines and labels for the value axis on the left; `place` turns a value into a height. */
export function drawLeftAxis(
  canvas: Canvas,
  area: Area,
  ticks: readonly Tick[],
  place: (value: number) => number,
  grid: boolean,
): void {
  for (const { value, label } of ticks) {
    const y = place(value);
    if (grid) canvas.rect(area.x, y, area.width, 1, GRID);
    canvas.text(label, area.x - 12, y + LABEL / 2, { size: LABEL, colour: MUTED, align: 'right' });
  }
}

export function drawBottomAxis(
  canvas: Canvas,
  area: Area,
  ticks: readonly Tick[],
  place: (value: number) => number,
): void {
  const y = area.y + area.height;
  for (const { value, label } of ticks) {
    const x = place(value);
    canvas.rect(x, y, 1, 5, MUTED);
    canvas.text(label, x, y + 12 + LABEL, { size: LABEL, colour: MUTED, align: 'centre' });
  }
}

export function drawAxisNames(canvas: Canvas, area: Area, names: { bottom: string; left: string }): void {
  canvas.text(names.bottom, area.x + area.width / 2, area.y + area.height + 50, {
    size: 10.5,
    colour: INK,
    align: 'centre',
  });
  canvas.text(names.left, 26, area.y + area.height / 2, { size: 10.5, colour: INK, align: 'centre', upright: true });
}

/** The text, or its beginning with dots where it does not fit. */
export function fitted(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  let length = text.length;
  while (length > 1 && textWidth(`${text.slice(0, length)}…`, size) > room) length--;
  return `${text.slice(0, length)}…`;
}
