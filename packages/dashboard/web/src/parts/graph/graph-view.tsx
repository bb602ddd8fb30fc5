import { useMemo, useState } from 'preact/hooks';
import { type Edge, layered, type Placed } from '../../lib/graph/layout.ts';
import { t } from '../../lib/texts.ts';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly kind: 'operator' | 'value' | 'own';
  /** Said under the pointer. */
  readonly about?: string;
  /** Where it leads; a node without a link can be chosen. */
  readonly href?: string;
}

interface Props {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Edge[];
  /** From left to right, or from top to bottom. */
  readonly direction: 'right' | 'down';
  readonly chosen?: string | undefined;
  readonly onChoose?: (id: string) => void;
}

const WIDTH = 148;
const HEIGHT = 32;
const LONGEST = 18;
const GAPS = { right: { layer: 56, across: 14 }, down: { layer: 34, across: 22 } };
/** About as wide as the page is on most screens. */
const FRAME = 1_000;
const SCALES = [0.35, 0.5, 0.7, 1, 1.4];

/** Nodes in layers with the edges between them, as large as wanted, scrolled where it does not fit. */
export function GraphView({ label, nodes, edges, direction, chosen, onChoose }: Props) {
  const layout = useMemo(
    () =>
      layered(
        nodes.map(({ id }) => id),
        edges,
      ),
    [nodes, edges],
  );
  const isDown = direction === 'down';
  const gap = GAPS[direction];
  const along = (isDown ? HEIGHT : WIDTH) + gap.layer;
  const across = (isDown ? WIDTH : HEIGHT) + gap.across;
  const placeOf = (place: Omit<Placed, 'id'>) => {
    const [x, y] = [place.layer * along, place.across * across];
    return isDown ? { x: y + 8, y: x + 8 } : { x: x + 8, y: y + 8 };
  };
  const [length, breadth] = [layout.layers * along - gap.layer + 16, layout.width * across - gap.across + 16];
  const [width, height] = isDown ? [breadth, length] : [length, breadth];
  // As large as it can be without scrolling sideways, within reason.
  const [scale, setScale] = useState(() =>
    Math.max(
      1,
      SCALES.findLastIndex((size) => size <= 1 && size * width <= FRAME),
    ),
  );
  const factor = SCALES[scale]!;
  return (
    <div class="graph">
      <div class="zoom">
        <button
          type="button"
          aria-label={t('Zoom in')}
          disabled={scale === SCALES.length - 1}
          onClick={() => setScale(scale + 1)}
        >
          +
        </button>
        <button type="button" aria-label={t('Zoom out')} disabled={scale === 0} onClick={() => setScale(scale - 1)}>
          −
        </button>
      </div>
      <div class="graph-frame" tabIndex={0} role="region" aria-label={label}>
        <svg
          role="group"
          aria-label={label}
          viewBox={`0 0 ${width} ${height}`}
          width={width * factor}
          height={height * factor}
        >
          {layout.edges.map((path, index) => (
            <path key={index} d={curve(path.map(placeOf), isDown)} />
          ))}
          {nodes.map((node) => {
            const { x, y } = placeOf(layout.nodes.get(node.id)!);
            return (
              <Node
                key={node.id}
                node={node}
                x={x}
                y={y}
                isChosen={node.id === chosen}
                onChoose={onChoose && (() => onChoose(node.id))}
              />
            );
          })}
        </svg>
      </div>
    </div>
  );
}

interface NodeProps {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly isChosen: boolean;
  readonly onChoose: (() => void) | undefined;
}

function Node({ node: { label, kind, about, href }, x, y, isChosen, onChoose }: NodeProps) {
  const shown = label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
  // What is heard begins with what is seen, then says all of it.
  const said = [...new Set([shown, label, about ?? label])].join(' ');
  const content = (
    <>
      <title>{about ?? label}</title>
      <rect
        class={`${kind} ${isChosen ? 'chosen' : ''}`}
        x={x}
        y={y}
        width={WIDTH}
        height={HEIGHT}
        rx={kind === 'operator' ? 6 : HEIGHT / 2}
      />
      <text x={x + WIDTH / 2} y={y + HEIGHT / 2 + 5}>
        {shown}
      </text>
    </>
  );
  if (href) return <a href={href}>{content}</a>;
  if (!onChoose) return <g>{content}</g>;
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose();
  };
  return (
    <g role="button" tabIndex={0} aria-label={said} aria-pressed={isChosen} onClick={onChoose} onKeyDown={press}>
      {content}
    </g>
  );
}

/** From the end of one node through the middle of each place that is passed to the beginning of the other. */
function curve(places: readonly { x: number; y: number }[], isDown: boolean): string {
  const last = places.length - 1;
  const points = places.flatMap(({ x, y }, at) => {
    const start = isDown ? { x: x + WIDTH / 2, y } : { x, y: y + HEIGHT / 2 };
    const end = isDown ? { x: start.x, y: y + HEIGHT } : { x: x + WIDTH, y: start.y };
    return at === 0 ? [end] : at === last ? [start] : [start, end];
  });
  return points.reduce((path, { x, y }, at) => {
    const before = points[at - 1];
    if (!before) return `M${x} ${y}`;
    const bend = isDown
      ? [before.x, (before.y + y) / 2, x, (before.y + y) / 2]
      : [(before.x + x) / 2, before.y, (before.x + x) / 2, y];
    return `${path}C${bend[0]} ${bend[1]} ${bend[2]} ${bend[3]} ${x} ${y}`;
  }, '');
}
