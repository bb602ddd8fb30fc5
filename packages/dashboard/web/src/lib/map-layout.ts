export type Point = readonly [number, number];

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** It ends at its point, because behind it there is no room. */
  readonly isBefore: boolean;
}

const MARGIN = 24;
const SIGN_WIDTH = 7;
const LINE_HEIGHT = 16;
const GAP = 10;
const LONGEST = 32;

/** Points of a plane, stretched over a picture. */
export function placed(points: readonly Point[], width: number, height: number): readonly Point[] {
  const x = scale(
    points.map(([at]) => at),
    width,
  );
  const y = scale(
    points.map(([, at]) => at),
    height,
  );
  return points.map(([first, second]) => [x(first), y(second)] as const);
}

/** A label for each point, on the side with more room, and moved down until it lies on no other. */
export function labelsOf(points: readonly Point[], texts: readonly string[], width: number): readonly Label[] {
  const most = Math.min(LONGEST, Math.floor((width / 2 - GAP) / SIGN_WIDTH));
  const labels: Label[] = [];
  const taken: { from: number; to: number; y: number }[] = [];
  const order = points.map((_, index) => index).sort((a, b) => points[a]![1] - points[b]![1]);
  for (const index of order) {
    const [x, y] = points[index]!;
    const text = cut(texts[index] ?? '', most);
    const isBefore = x > width / 2;
    const length = text.length * SIGN_WIDTH;
    const [from, to] = isBefore ? [x - GAP - length, x - GAP] : [x + GAP, x + GAP + length];
    let at = y + 4;
    for (let moved = true; moved; ) {
      const other = taken.find((one) => Math.abs(one.y - at) < LINE_HEIGHT && one.from < to && from < one.to);
      moved = other !== undefined;
      if (other) at = other.y + LINE_HEIGHT;
    }
    taken.push({ from, to, y: at });
    labels[index] = { x: isBefore ? to : from, y: at, text, isBefore };
  }
  return labels;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

function scale(values: readonly number[], size: number): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => MARGIN + ((value - least) / (most - least || 1)) * (size - 2 * MARGIN);
}
