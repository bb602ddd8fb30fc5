import { MAX_DIMENSIONS } from '@atoll-mcp/formats/dtypes';

/** A slice that NumPy would refuse too, in a sentence for the user. */
export class SliceFault extends Error {
  override readonly name = 'SliceFault';
}

/** What is taken along one axis. `keep` is false where an integer removes the axis. */
export interface AxisPick {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly keep: boolean;
}

/** NumPy's basic indexing: `0:10, :, -1`, with `...` for all axes in between. No text takes everything. */
export function resolveSlice(text: string | undefined, shape: readonly number[]): AxisPick[] {
  const bare = (text ?? '')
    .trim()
    .replace(/^\[([^[\]]*)\]$/, '$1')
    .trim();
  if (bare === '') return shape.map(wholeAxis);
  const parts = bare.split(',').map((part) => part.trim());
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  const dots = parts.filter((part) => part === '...').length;
  if (dots > 1) throw new SliceFault(`the slice ${quoted(text)} has more than one "..."`);
  const indices = parts.length - dots;
  if (indices > shape.length) {
    const has = `${shape.length} ${shape.length === 1 ? 'dimension' : 'dimensions'}`;
    throw new SliceFault(`the slice ${quoted(text)} has ${indices} indices, but the tensor has ${has}`);
  }
  const filler = new Array<string>(Math.min(MAX_DIMENSIONS, shape.length - indices)).fill(':');
  const full = dots ? parts.flatMap((part) => (part === '...' ? filler : [part])) : [...parts, ...filler];
  return full.map((part, axis) => pick(part, shape[axis]!, axis, text));
}

/** The shape of what a slice takes. */
export function pickedShape(picks: readonly AxisPick[]): number[] {
  return picks.filter((axis) => axis.keep).map((axis) => axis.count);
}

/** Cuts to at most `maxValues` in row order; the rest is left out from the outside in, so that what is there has a shape. */
export function cutPicks(picks: readonly AxisPick[], maxValues: number): { picks: AxisPick[]; truncated: boolean } {
  let room = Math.max(1, maxValues);
  const cut = [...picks];
  for (let axis = cut.length - 1; axis >= 0; axis--) {
    const { count } = cut[axis]!;
    if (count > room) cut[axis] = { ...cut[axis]!, count: room };
    room = Math.max(1, Math.floor(room / Math.max(1, cut[axis]!.count)));
    if (count > cut[axis]!.count) room = 1;
  }
  return { picks: cut, truncated: cut.some((axis, i) => axis.count !== picks[i]!.count) };
}

function wholeAxis(size: number): AxisPick {
  return { start: 0, step: 1, count: size, keep: true };
}

function pick(part: string, size: number, axis: number, text: string | undefined): AxisPick {
  if (/^[+-]?\d+$/.test(part)) {
    const index = Number(part);
    if (index >= size || index < -size) {
      throw new SliceFault(`index ${index} is out of bounds for axis ${axis} with size ${size}`);
    }
    return { start: index < 0 ? index + size : index, step: 1, count: 1, keep: false };
  }
  const bounds = /^([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)?)?$/.exec(part);
  if (!bounds) {
    throw new SliceFault(
      `${quoted(part)} in the slice ${quoted(text)} is not understood; use integers, start:stop:step or "..."`,
    );
  }
  const step = bounds[3] === undefined ? 1 : Number(bounds[3]);
  if (step === 0) throw new SliceFault(`the step in the slice ${quoted(text)} is zero`);
  const clamp = (bound: number) =>
    Math.min(Math.max(bound < 0 ? bound + size : bound, step < 0 ? -1 : 0), step < 0 ? size - 1 : size);
  const start = bounds[1] === undefined ? (step < 0 ? size - 1 : 0) : clamp(Number(bounds[1]));
  const stop = bounds[2] === undefined ? (step < 0 ? -1 : size) : clamp(Number(bounds[2]));
  return { start, step, count: Math.max(0, Math.ceil((stop - start) / step)), keep: true };
}

const quoted = (text: string | undefined) => JSON.stringify((text ?? '').slice(0, 80));
