import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { decimal } from '../../lib/format.ts';
import { labelsOf, placed } from '../../lib/map-layout.ts';
import { dot, project } from '../../lib/project.ts';
import { t } from '../../lib/texts.ts';
import type { Embedded } from '../../pages/embeddings.tsx';

const MOST_LABELS = 30;

/** The texts on a plane; pointing at one shows its nearest neighbours. */
export function EmbeddingMap({ embedded }: { embedded: Embedded }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const height = Math.round(Math.min(460, Math.max(260, width * 0.5)));
  const plane = useMemo(() => project(embedded.vectors), [embedded]);
  const points = useMemo(() => placed(plane, width, height), [plane, width, height]);
  const labels = useMemo(
    () => (embedded.texts.length <= MOST_LABELS ? labelsOf(points, embedded.texts, width) : []),
    [points, embedded, width],
  );
  const [chosen, setChosen] = useState<number>();
  const near = useMemo(() => (chosen === undefined ? [] : neighbours(embedded, chosen)), [embedded, chosen]);
  const from = chosen === undefined ? undefined : points[chosen];
  return (
    <figure class="map">
      <div ref={box}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={t("Map of {texts} texts; the list below names each one's neighbours", {
            texts: embedded.texts.length,
          })}
        >
          {from &&
            near.map(({ index }) => (
              <line key={index} x1={from[0]} y1={from[1]} x2={points[index]![0]} y2={points[index]![1]} />
            ))}
          {points.map(([x, y], index) => (
            <circle
              key={index}
              class={index === chosen ? 'chosen' : near.some((one) => one.index === index) ? 'near' : ''}
              cx={x}
              cy={y}
              r="6"
              onMouseEnter={() => setChosen(index)}
            >
              <title>{embedded.texts[index]!.slice(0, 200)}</title>
            </circle>
          ))}
          {labels.map(({ x, y, text, isBefore }, index) => (
            <text key={index} x={x} y={y} class={isBefore ? 'before' : ''} onMouseEnter={() => setChosen(index)}>
              {text}
            </text>
          ))}
        </svg>
      </div>
      <figcaption>
        <label>
          {t('Neighbours of')}
          <select
            value={chosen ?? ''}
            onChange={(event) =>
              setChosen(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
            }
          >
            <option value="">{t('point at a dot, or choose')}</option>
            {embedded.texts.map((text, index) => (
              <option key={index} value={index}>
                {text.slice(0, 80)}
              </option>
            ))}
          </select>
        </label>
        {near.length > 0 && (
          <ol aria-live="polite">
            {near.map(({ index, score }) => (
              <li key={index}>
                <span class="score">{decimal(score, 2)}</span> {embedded.texts[index]!.slice(0, 140)}
              </li>
            ))}
          </ol>
        )}
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
    .slice(0, 3);
}
