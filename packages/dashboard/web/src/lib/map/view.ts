import type { Point } from './place.ts';

/** Which part of a map is seen: a point of the map is drawn at `point * scale + offset`. */
export interface MapView {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const WHOLE: MapView = { scale: 1, x: 0, y: 0 };
const LARGEST = 60;

export const toScreen = ({ scale, x, y }: MapView, point: Point): Point => [point[0] * scale + x, point[1] * scale + y];

/** Larger or smaller, with the point under the pointer staying where it is. The map is never smaller than its frame. */
export function zoomed(view: MapView, factor: number, [atX, atY]: Point, [width, height]: Point): MapView {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return inFrame({ scale, x: atX - (atX - view.x) * ratio, y: atY - (atY - view.y) * ratio }, [width, height]);
}

export function moved(view: MapView, [byX, byY]: Point, frame: Point): MapView {
  return inFrame({ scale: view.scale, x: view.x + byX, y: view.y + byY }, frame);
}

/** No side of the map is moved into the frame. */
function inFrame({ scale, x, y }: MapView, [width, height]: Point): MapView {
  const clamp = (offset: number, size: number) => Math.min(0, Math.max(size - size * scale, offset));
  return { scale, x: clamp(x, width), y: clamp(y, height) };
}

/** The point that is drawn nearest to a place, if it is within reach. */
export function nearestTo(points: readonly Point[], view: MapView, [x, y]: Point, reach: number): number | undefined {
  let nearest: number | undefined;
  let least = reach * reach;
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    const dx = point[0] * view.scale + view.x - x;
    const dy = point[1] * view.scale + view.y - y;
    const distance = dx * dx + dy * dy;
    if (distance > least) continue;
    least = distance;
    nearest = index;
  }
  return nearest;
}
