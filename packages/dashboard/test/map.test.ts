import { expect, test } from 'vitest';
import { labelsOf } from '../web/src/lib/map/labels.ts';
import { placed } from '../web/src/lib/map/place.ts';
import { project } from '../web/src/lib/map/project.ts';
import { moved, nearestTo, toScreen, WHOLE, zoomed } from '../web/src/lib/map/view.ts';

const FRAME = [400, 200] as const;

test('the point under the pointer stays where it is while the map is zoomed', () => {
  const view = zoomed(zoomed(WHOLE, 3, [100, 50], FRAME), 1.5, [100, 50], FRAME);
  expect(view.scale).toBe(4.5);
  expect(toScreen(view, [100, 50])).toEqual([100, 50]);
});

test('the map never leaves its frame and is never smaller', () => {
  expect(moved(WHOLE, [50, -50], FRAME)).toEqual(WHOLE);
  expect(zoomed(WHOLE, 0.1, [0, 0], FRAME)).toEqual(WHOLE);
  expect(moved(zoomed(WHOLE, 2, [0, 0], FRAME), [-9_999, -9_999], FRAME)).toEqual({ scale: 2, x: -400, y: -200 });
});

test('the nearest dot within reach is found', () => {
  const points = [
    [10, 10],
    [20, 10],
  ] as const;
  expect(nearestTo(points, WHOLE, [16, 10], 14)).toBe(1);
  expect(nearestTo(points, WHOLE, [200, 10], 14)).toBeUndefined();
});

test('no label covers another or leaves the frame', () => {
  const shown = Array.from({ length: 200 }, (_, index) => ({
    index,
    at: [(index * 37) % 400, (index * 53) % 200] as const,
  }));
  const labels = labelsOf(
    shown,
    shown.map(({ index }) => `text ${index}`),
    FRAME,
    (text) => text.length * 7,
  );
  expect(labels.length).toBeGreaterThan(20);
  for (const [at, { x, y, text }] of labels.entries()) {
    expect(x >= 0 && x + text.length * 7 <= 400 && y >= 15 && y <= 200).toBe(true);
    for (const other of labels.slice(at + 1)) {
      expect(
        Math.abs(other.y - y) >= 15 || other.x >= x + text.length * 7 || x >= other.x + other.text.length * 7,
      ).toBe(true);
    }
  }
});

test('what is alike lies close, also where only a part of the vectors was used to find the directions', () => {
  const vectors = Array.from({ length: 3_000 }, (_, at) => {
    const group = at % 3;
    return Array.from({ length: 8 }, (_, axis) => (axis === group ? 1 : 0) + Math.sin(at * (axis + 1)) / 20);
  });
  const points = placed(project(vectors), 400, 200);
  const middle = (group: number, axis: 0 | 1) => {
    const own = points.filter((_, at) => at % 3 === group);
    return own.reduce((sum, point) => sum + point[axis], 0) / own.length;
  };
  for (const [at, [x, y]] of points.entries()) {
    const distances = [0, 1, 2].map((group) => Math.hypot(x - middle(group, 0), y - middle(group, 1)));
    expect(distances.indexOf(Math.min(...distances))).toBe(at % 3);
  }
}, 20_000);
