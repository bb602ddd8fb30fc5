import { labelsOf } from '../../lib/map/labels.ts';
import type { Point } from '../../lib/map/place.ts';
import { type MapView, toScreen } from '../../lib/map/view.ts';

export interface MapPicture {
  readonly points: readonly Point[];
  readonly texts: readonly string[];
  readonly view: MapView;
  readonly frame: Point;
  readonly chosen: number | undefined;
  readonly near: readonly number[];
}

/** More points in sight than this are drawn without labels. */
const MAX_LABELLED = 400;

/** Draws what is in sight. Thousands of dots are one path, so that a frame takes a few milliseconds. */
export function drawMap(canvas: HTMLCanvasElement, { points, texts, view, frame, chosen, near }: MapPicture): void {
  const context = canvas.getContext('2d')!;
  const [width, height] = frame;
  const density = devicePixelRatio;
  if (canvas.width !== Math.round(width * density)) canvas.width = Math.round(width * density);
  if (canvas.height !== Math.round(height * density)) canvas.height = Math.round(height * density);
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  const inSight: { index: number; at: Point }[] = [];
  for (let index = 0; index < points.length; index++) {
    const at = toScreen(view, points[index]!);
    if (at[0] > -8 && at[1] > -8 && at[0] < width + 8 && at[1] < height + 8) inSight.push({ index, at });
  }
  const radius = points.length <= 300 ? 5.5 : Math.min(5, 2 + view.scale / 4);
  const colour = (name: string) => colourOf(canvas, name);
  const dots = (all: readonly Point[], size: number) => {
    context.beginPath();
    for (const [x, y] of all) {
      context.moveTo(x + size, y);
      context.arc(x, y, size, 0, 2 * Math.PI);
    }
  };
  context.fillStyle = colour('--accent');
  dots(
    inSight.map(({ at }) => at),
    radius,
  );
  context.fill();
  if (chosen !== undefined) {
    const from = toScreen(view, points[chosen]!);
    const others = near.map((index) => toScreen(view, points[index]!));
    context.strokeStyle = colour('--second');
    context.setLineDash([3, 3]);
    context.beginPath();
    for (const [x, y] of others) {
      context.moveTo(...from);
      context.lineTo(x, y);
    }
    context.stroke();
    context.setLineDash([]);
    context.lineWidth = 2;
    dots(others, radius + 1);
    context.stroke();
    context.fillStyle = colour('--second');
    dots([from], radius + 1);
    context.fill();
  }
  if (inSight.length > MAX_LABELLED) return;
  context.fillStyle = colour('--ink');
  context.font = '12px system-ui, sans-serif';
  const widthOf = (text: string) => context.measureText(text).width;
  for (const { x, y, text } of labelsOf(inSight, texts, frame, widthOf)) context.fillText(text, x, y);
}

/** A colour of the theme as a canvas takes it; the scheme decides which of two it is. */
function colourOf(canvas: HTMLCanvasElement, name: string): string {
  canvas.style.color = `var(${name})`;
  return getComputedStyle(canvas).color;
}
