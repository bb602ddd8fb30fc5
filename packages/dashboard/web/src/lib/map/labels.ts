import type { Point } from './place.ts';

export interface Label {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

const MOST = 60;
const LONGEST = 32;
const LINE_HEIGHT = 15;
const GAP = 9;
const DOT = 5;

/** Labels beside points, as many as fit without covering each other: behind a point, before it, below or above. */
export function labelsOf(
  shown: readonly { readonly index: number; readonly at: Point }[],
  texts: readonly string[],
  [width, height]: Point,
  widthOf: (text: string) => number,
): readonly Label[] {
  const labels: Label[] = [];
  const taken: { x: number; y: number; end: number }[] = [];
  for (const { index, at } of shown) {
    if (labels.length >= MOST) break;
    const text = cut(texts[index] ?? '');
    const length = widthOf(text);
    const [x, y] = at;
    const places: readonly Point[] = [
      [x + GAP, y + 4],
      [x - GAP - length, y + 4],
      [x - length / 2, y + GAP + LINE_HEIGHT - 3],
      [x - length / 2, y - GAP],
    ];
    const free = places.filter(([left, base]) => {
      const isInside = left >= 0 && left + length <= width && base >= LINE_HEIGHT && base <= height;
      return (
        isInside &&
        !taken.some((one) => Math.abs(one.y - base) < LINE_HEIGHT && one.x < left + length && left < one.end)
      );
    });
    // Better on no other dot, where there is room for that.
    const isOnDot = ([left, base]: Point) =>
      shown.some(
        ({ at: dot, index: other }) =>
          other !== index && isBetween(dot[0], left, left + length) && isBetween(dot[1], base - LINE_HEIGHT, base),
      );
    const place = free.find((one) => !isOnDot(one)) ?? free[0];
    if (!place) continue;
    taken.push({ x: place[0], y: place[1], end: place[0] + length });
    labels.push({ index, x: place[0], y: place[1], text });
  }
  return labels;
}

/** Whether a dot in the middle of which a value stands reaches in between two others. */
const isBetween = (value: number, from: number, to: number) => value > from - DOT && value < to + DOT;

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).trimEnd()}…`;
}
