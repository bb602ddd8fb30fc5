import { useMemo, useState } from 'preact/hooks';
import { dot, project } from '../lib/project.ts';
import type { Embedded } from '../pages/embeddings.tsx';

const WIDTH = 720;
const HEIGHT = 420;
const MARGIN = 40;

/** The texts on a plane; pointing at one shows its nearest neighbours. */
export function EmbeddingMap({ embedded }: { embedded: Embedded }) {
  const points = useMemo(() => place(project(embedded.vectors)), [embedded]);
  const [chosen, setChosen] = useState<number>();
  const near = useMemo(() => (chosen === undefined ? [] : neighbours(embedded, chosen)), [embedded, chosen]);
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Map of ${embedded.texts.length} texts; the list below names each one's neighbours`}
      >
        {chosen !== undefined &&
          near.map(({ index }) => (
            <line
              key={index}
              x1={points[chosen]![0]}
              y1={points[chosen]![1]}
              x2={points[index]![0]}
              y2={points[index]![1]}
            />
          ))}
        {points.map(([x, y], index) => (
          <g key={index} class={index === chosen ? 'chosen' : ''} onMouseEnter={() => setChosen(index)}>
            <circle cx={x} cy={y} r="6" />
            {embedded.texts.length <= 30 && (
              <text x={x + 9} y={y + 4}>
                {embedded.texts[index]!.slice(0, 28)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption>
        <label>
          Neighbours of
          <select
            value={chosen ?? ''}
            onChange={(event) =>
              setChosen(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
            }
          >
            <option value="">point at a dot, or choose</option>
            {embedded.texts.map((text, index) => (
              <option key={index} value={index}>
                {text.slice(0, 80)}
              </option>
            ))}
          </select>
        </label>
        {near.length > 0 && (
          <ol>
            {near.map(({ index, score }) => (
              <li key={index}>
                <span class="score">{score.toFixed(2)}</span> {embedded.texts[index]!.slice(0, 140)}
              </li>
            ))}
          </ol>
        )}
      </figcaption>
    </figure>
  );
}

function neighbours({ vectors }: Embedded, chosen: number): { index: number; score: number }[] {
  return vectors
    .map((vector, index) => ({ index, score: dot(vector, vectors[chosen]!) }))
    .filter(({ index }) => index !== chosen)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3);
}

function place(points: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const scale = (values: readonly number[], size: number) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return (value: number) => MARGIN + ((value - least) / (most - least || 1)) * (size - 2 * MARGIN);
  };
  const x = scale(
    points.map(([at]) => at),
    WIDTH - 120,
  );
  const y = scale(
    points.map(([, at]) => at),
    HEIGHT,
  );
  return points.map(([first, second]) => [x(first), y(second)] as const);
}
