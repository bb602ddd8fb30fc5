import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { placed } from '../../lib/map/place.ts';
import { dot, project } from '../../lib/map/project.ts';
import { t } from '../../lib/texts.ts';
import type { Embedded } from '../../pages/embeddings.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { Neighbours } from './neighbours.tsx';

const MOST_NEAR = 5;

/** The texts on a plane; pointing at one shows its nearest neighbours. */
export function EmbeddingMap({ embedded }: { embedded: Embedded }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const height = Math.round(Math.min(560, Math.max(280, width * 0.55)));
  const plane = useMemo(() => project(embedded.vectors), [embedded]);
  const points = useMemo(() => placed(plane, width, height), [plane, width, height]);
  const [chosen, setChosen] = useState<number>();
  const near = useMemo(() => (chosen === undefined ? [] : neighbours(embedded, chosen)), [embedded, chosen]);
  // What was last pointed at stays chosen, so that the way to its neighbours does not lose it.
  const choose = (index: number | undefined) => index !== undefined && setChosen(index);
  return (
    <figure class="map">
      <div ref={box}>
        <MapCanvas
          label={t(
            'Map of {texts} texts. Arrow keys move it, + and − zoom; each text and its neighbours are found below.',
            {
              texts: embedded.texts.length,
            },
          )}
          points={points}
          texts={embedded.texts}
          frame={[width, height]}
          chosen={chosen}
          near={near.map(({ index }) => index)}
          onChoose={choose}
        />
      </div>
      <figcaption>
        <Neighbours texts={embedded.texts} chosen={chosen} near={near} onChoose={choose} />
      </figcaption>
    </figure>
  );
}

/** The width of an element, also after the window has changed. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(720);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    setWidth(watched.clientWidth);
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function neighbours({ vectors }: Embedded, chosen: number): { index: number; score: number }[] {
  return vectors
    .map((vector, index) => ({ index, score: dot(vector, vectors[chosen]!) }))
    .filter(({ index }) => index !== chosen)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NEAR);
}
