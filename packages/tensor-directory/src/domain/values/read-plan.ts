import { countOf } from '@atoll-mcp/formats/dtypes';
import type { AxisPick } from './slice.ts';

/** One read of a file, and where its parts go in the result. All in bytes. */
export interface Window {
  readonly offset: number;
  readonly length: number;
  readonly pieces: readonly { readonly from: number; readonly to: number; readonly length: number }[];
}

/** No read is longer, except for what lies together anyway. */
export const MAX_WINDOW = 1024 * 1024;
/** Reading across a gap of this size is cheaper than a second read. */
const MAX_GAP = 16 * 1024;

/** The reads that gather a slice, in row order of the result: few, bounded, and none for what is not asked for. */
export function* planReads(shape: readonly number[], picks: readonly AxisPick[], itemBytes: number): Generator<Window> {
  let pieces: { at: number; to: number; length: number }[] = [];
  let low = 0;
  let high = 0;
  let to = 0;
  const finish = (): Window => ({
    offset: low,
    length: high - low,
    pieces: pieces.map((piece) => ({ from: piece.at - low, to: piece.to, length: piece.length })),
  });
  for (const run of runs(shape, picks)) {
    const at = run.from * itemBytes;
    const length = run.count * itemBytes;
    const near = at - high <= MAX_GAP && low - (at + length) <= MAX_GAP;
    const span = Math.max(high, at + length) - Math.min(low, at);
    if (pieces.length > 0 && !(near && span <= MAX_WINDOW)) {
      yield finish();
      pieces = [];
    }
    low = pieces.length === 0 ? at : Math.min(low, at);
    high = pieces.length === 0 ? at + length : Math.max(high, at + length);
    pieces.push({ at, to, length });
    to += length;
  }
  if (pieces.length > 0) yield finish();
}

/** Stretches of neighbouring elements, in row order of the result. */
function* runs(shape: readonly number[], picks: readonly AxisPick[]): Generator<{ from: number; count: number }> {
  if (countOf(picks.map((axis) => axis.count)) === 0) return;
  const strides = shape.map((_, axis) => countOf(shape.slice(axis + 1)));
  let inner = picks.length;
  while (inner > 0 && isWhole(picks[inner - 1]!, shape[inner - 1]!)) inner--;
  // The first axis that is not whole still runs on when it is taken in steps of one.
  if (inner > 0 && picks[inner - 1]!.step === 1) inner--;
  const count = countOf(picks.slice(inner).map((axis) => axis.count));
  const base = picks.reduce((sum, axis, i) => sum + axis.start * strides[i]!, 0);
  const place = new Array<number>(inner).fill(0);
  let from = base;
  for (;;) {
    yield { from, count };
    let axis = inner - 1;
    for (; axis >= 0; axis--) {
      const jump = picks[axis]!.step * strides[axis]!;
      place[axis]!++;
      from += jump;
      if (place[axis]! < picks[axis]!.count) break;
      from -= jump * picks[axis]!.count;
      place[axis] = 0;
    }
    if (axis < 0) return;
  }
}

function isWhole({ start, step, count }: AxisPick, size: number): boolean {
  return start === 0 && step === 1 && count === size;
}
