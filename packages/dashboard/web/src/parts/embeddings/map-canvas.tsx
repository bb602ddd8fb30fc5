import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Point } from '../../lib/map/place.ts';
import { type MapView, moved, nearestTo, WHOLE, zoomed } from '../../lib/map/view.ts';
import { t } from '../../lib/texts.ts';
import { drawMap, type MapPicture } from './draw-map.ts';

interface Props extends Omit<MapPicture, 'view'> {
  readonly label: string;
  readonly onChoose: (index: number | undefined) => void;
}

const REACH = 14;
const STEP = 60;
const KEYS: Readonly<Record<string, Point>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** A map that zooms with the wheel, two fingers or + and −, and is moved by dragging or with the arrow keys. */
export function MapCanvas({ label, onChoose, ...picture }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(picture);
  latest.current = picture;
  const view = useRef<MapView>(WHOLE);
  const frame = useRef(0);
  const draw = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (canvas.current) drawMap(canvas.current, { ...latest.current, view: view.current });
    });
  };
  const look = (next: MapView) => {
    view.current = next;
    draw();
  };
  const zoom = (factor: number, at: Point = [latest.current.frame[0] / 2, latest.current.frame[1] / 2]) =>
    look(zoomed(view.current, factor, at, latest.current.frame));
  useLayoutEffect(draw);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    scheme.addEventListener('change', draw);
    // Not by an attribute: the page must not scroll while the map is zoomed, which passive listeners cannot prevent.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      // A wheel tells of large steps, a touchpad of many small ones.
      zoom(Math.exp(-Math.max(-90, Math.min(90, event.deltaY)) / 300), placeOf(event));
    };
    canvas.current!.addEventListener('wheel', wheel, { passive: false });
    return () => {
      theme.disconnect();
      scheme.removeEventListener('change', draw);
      canvas.current?.removeEventListener('wheel', wheel);
      cancelAnimationFrame(frame.current);
    };
  }, []);
  const pointers = useRef(new Map<number, Point>());
  const move = (event: PointerEvent) => {
    const at = placeOf(event);
    const before = pointers.current.get(event.pointerId);
    if (!before) return onChoose(nearestTo(latest.current.points, view.current, at, REACH));
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, at);
    if (other) zoom(distance(at, other) / Math.max(1, distance(before, other)), other);
    else look(moved(view.current, [at[0] - before[0], at[1] - before[1]], latest.current.frame));
  };
  const press = (event: PointerEvent) => {
    canvas.current!.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, placeOf(event));
    onChoose(nearestTo(latest.current.points, view.current, placeOf(event), REACH));
  };
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId);
  const key = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    if (step) look(moved(view.current, step, latest.current.frame));
    else if (event.key === '+') zoom(1.4);
    else if (event.key === '-') zoom(1 / 1.4);
    else if (event.key === '0') look(WHOLE);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys itself, which readers pass on to an application */}
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={label}
        style={{ width: `${picture.frame[0]}px`, height: `${picture.frame[1]}px` }}
        onPointerMove={move}
        onPointerDown={press}
        onPointerUp={release}
        onPointerCancel={release}
        onKeyDown={key}
      />
      <div class="zoom">
        <button type="button" aria-label={t('Zoom in')} onClick={() => zoom(1.6)}>
          +
        </button>
        <button type="button" aria-label={t('Zoom out')} onClick={() => zoom(1 / 1.6)}>
          −
        </button>
        <button type="button" aria-label={t('Show all')} onClick={() => look(WHOLE)}>
          ⤢
        </button>
      </div>
    </>
  );
}

const placeOf = ({ offsetX, offsetY }: MouseEvent): Point => [offsetX, offsetY];
const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);
