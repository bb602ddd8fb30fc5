import type { SeriesPoint } from '../../lib/admin.ts';
import { t } from '../../lib/texts.ts';

const WIDTH = 320;
const HEIGHT = 96;
export const COLOURS = 6;

interface Props {
  readonly title: string;
  readonly servers: Readonly<Record<string, readonly SeriesPoint[]>>;
  readonly value: (point: SeriesPoint) => number;
  readonly format: (value: number) => string;
  /** The figure under the title. */
  readonly total: string;
}

/** One line per server over time. The figures beside it carry the meaning. */
export function TimeChart({ title, servers, value, format, total }: Props) {
  const names = Object.keys(servers);
  const most = Math.max(...names.flatMap((name) => servers[name]!.map(value)), 0);
  const pathOf = (points: readonly SeriesPoint[]) => {
    const step = WIDTH / Math.max(points.length - 1, 1);
    return points
      .map((point, at) => `${at === 0 ? 'M' : 'L'}${(at * step).toFixed(1)} ${heightOf(value(point), most)}`)
      .join('');
  };
  return (
    <figure class="card time-chart">
      <figcaption>
        <span class="hint">{title}</span>
        <strong>{total}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${names.map((name) => t('{name} up to {max}', { name, max: format(Math.max(...servers[name]!.map(value))) })).join(', ') || t('nothing yet')}`}
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} class="axis" />
        <line x1="0" x2={WIDTH} y1="4" y2="4" class="grid" />
        {names.map((name, index) => (
          <path key={name} d={pathOf(servers[name]!)} class={`series s${index % COLOURS}`} />
        ))}
      </svg>
      <p class="ends hint">
        <span>{t('15 min ago')}</span>
        <span>{most > 0 ? t('highest {most}', { most: format(most) }) : ''}</span>
        <span>{t('now')}</span>
      </p>
    </figure>
  );
}

function heightOf(value: number, most: number): string {
  return (HEIGHT - 1 - (most === 0 ? 0 : (value / most) * (HEIGHT - 5))).toFixed(1);
}
