export type Point = readonly [number, number];

const MARGIN = 24;
/** A little more than a dot is wide. */
const APART = 14;
/** More dots than this cover each other whatever is done. */
const MAX_SPREAD = 300;
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
  if (spots.length <= MAX_SPREAD) spread(spots, width, height);
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

function scale(values: readonly number[], size: number): (value: number) => number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return (value) => MARGIN + ((value - least) / (most - least || 1)) * (size - 2 * MARGIN);
}
