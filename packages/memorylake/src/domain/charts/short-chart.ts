import { type Column, fieldName, type Kind, type Spec } from './columns.ts';

export const SHORT_TYPES = ['bar', 'line', 'scatter', 'histogram', 'heatmap', 'box'] as const;

export interface ShortChart {
  readonly type: (typeof SHORT_TYPES)[number];
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly color?: string | undefined;
  readonly title?: string | undefined;
}

/** A chart that cannot be drawn. The message says what would be right. */
export class ChartProblem extends Error {
  override readonly name = 'ChartProblem';
}

const POINTS = 100;

/** The Vega-Lite spec that a short form stands for. */
export function specOf({ type, x, y, color, title }: ShortChart, columns: readonly Column[], rows: number): Spec {
  const column = (channel: string, name: string | undefined): Column => {
    if (name === undefined) throw new ChartProblem(`A ${type} chart needs "${channel}", the name of a column.`);
    const found = columns.find((known) => known.name === name);
    if (found) return found;
    const names = columns.map((known) => `"${known.name}"`).join(', ');
    throw new ChartProblem(`The query has no column "${name}" for "${channel}". It has: ${names}.`);
  };
  const numeric = (channel: string, name: string | undefined) => {
    const found = column(channel, name);
    if (found.kind === 'quantitative') return channelOf(found, 'quantitative');
    throw new ChartProblem(`"${found.name}" is not a column of numbers, which "${channel}" of a ${type} chart needs.`);
  };
  const any = (channel: string, name: string | undefined, kind?: Kind) => {
    const found = column(channel, name);
    return channelOf(found, kind ?? found.kind);
  };
  const group = (channel: string, name: string | undefined) => {
    const { kind } = column(channel, name);
    return any(channel, name, kind === 'quantitative' ? 'ordinal' : kind);
  };
  const count = { aggregate: 'count', type: 'quantitative', title: 'count' };
  const coloured = color === undefined ? {} : { color: group('color', color) };
  const drawn = {
    bar: () => ({
      mark: 'bar',
      encoding: { x: group('x', x), y: y === undefined ? count : numeric('y', y), ...coloured },
    }),
    line: () => ({
      mark: { type: 'line', point: rows <= POINTS },
      encoding: { x: any('x', x), y: { ...numeric('y', y), scale: { zero: false } }, ...coloured },
    }),
    scatter: () => ({
      mark: 'point',
      encoding: {
        x: { ...any('x', x), scale: { zero: false } },
        y: { ...any('y', y), scale: { zero: false } },
        ...(color !== undefined && { color: any('color', color) }),
      },
    }),
    histogram: () => ({
      mark: 'bar',
      encoding: { x: { ...numeric('x', x), bin: { maxbins: 30 } }, y: count, ...coloured },
    }),
    heatmap: () => ({
      mark: 'rect',
      encoding: {
        x: group('x', x),
        y: group('y', y),
        color: color === undefined ? count : numeric('color', color),
      },
    }),
    box: () => ({
      mark: { type: 'boxplot', extent: 1.5 },
      encoding: { ...(x !== undefined && { x: group('x', x) }), y: numeric('y', y), ...coloured },
    }),
  }[type]();
  return { ...(title !== undefined && { title }), ...drawn };
}

/** Categories stand in the order of the query. */
const channelOf = ({ name }: Column, kind: Kind) => ({
  field: fieldName(name),
  type: kind,
  title: name,
  ...((kind === 'nominal' || kind === 'ordinal') && { sort: null }),
});
