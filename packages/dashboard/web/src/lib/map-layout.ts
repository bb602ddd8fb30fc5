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
/** A little more than a dot is wide. */
const APART = 14;
/** More dots than this cover each other whatever is done. */
const MOST_SPREAD = 300;
const ROUNDS = 100;

/** Points of a plane, stretched over a picture, each far enough from the others to be pointed at. */
export function placed(points: readonly Point[], width: number, height: number): readonly Point[] {
  const x = scale(
    points.map(([at]) => at),
    width,
  );
  const y = scale(
    points.map(([, at]) => at),
    height,
  );
  const spots = points.map(([first, second]) => [x(first), y(second)] as [number, number]);
  if (spots.length <= MOST_SPREAD) spread(spots, width, height);
  return spots;
}

/** Moves spots that cover each other apart, by as little as it takes. */
function spread(spots: [number, number][], width: number, height: number): void {
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false;
    for (const [index, one] of spots.entries()) {
      for (const other of spots.slice(index + 1)) {
        const [dx, dy] = [other[0] - one[0], other[1] - one[1]];
        const distance = Math.hypot(dx, dy);
        if (distance >= APART) continue;
        moved = true;
        // Spots at the very same place part sideways.
        const [stepX, stepY] = distance === 0 ? [1, 0] : [dx / distance, dy / distance];
        const step = (APART - distance) / 2 + 0.5;
        move(one, -stepX * step, -stepY * step);
        move(other, stepX * step, stepY * step);
      }
    }
  }
  function move(spot: [number, number], x: number, y: number): void {
    spot[0] = Math.min(width - MARGIN, Math.max(MARGIN, spot[0] + x));
    spot[1] = Math.min(height - MARGIN, Math.max(MARGIN, spot[1] + y));
  }
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
