import { type ComputedDtype, countOf } from '@atoll-mcp/formats/dtypes';
import { type PackedList, SPECIAL_NUMBERS } from '../packed/packed-list.ts';
import { castDoubles, type Misfit } from './cast-doubles.ts';

/** Values that are turned into bytes at once. */
const BLOCK = 512 * 1024;

export function isSpecial(text: string): boolean {
  return Object.hasOwn(SPECIAL_NUMBERS, text);
}

/** The values of a nested list that was found sound, as bytes of a dtype. */
export function* blocksOf(
  list: readonly unknown[],
  shape: readonly number[],
  dtype: ComputedDtype,
  exact: ReadonlyMap<number, bigint>,
  misfit: Misfit,
): Generator<Uint8Array> {
  const count = countOf(shape);
  let block = new Float64Array(Math.min(BLOCK, count));
  let done = 0;
  let filled = 0;
  const take = () => {
    const from = done;
    const values = block;
    done += filled;
    filled = 0;
    block = new Float64Array(Math.min(BLOCK, count - done));
    const here = exact.size === 0 ? exact : within(exact, from, done);
    return castDoubles(values, dtype, here, (index, value, fitting) => misfit(from + index, value, fitting));
  };
  for (const leaf of leavesOf(list, shape.length)) {
    for (let i = 0; i < leaf.length; i++) {
      const value = leaf[i];
      block[filled++] = typeof value === 'number' ? value : asNumber(value);
      if (filled === block.length) yield take();
    }
  }
}

/** The same for values that came packed. */
export function* blocksOfPacked({ blocks }: PackedList, dtype: ComputedDtype, misfit: Misfit): Generator<Uint8Array> {
  const isLong = dtype === 'int64' || dtype === 'uint64';
  let done = 0;
  for (const block of blocks) {
    const from = done;
    done += block.length;
    // Longs take the place of their doubles, which are wanted again.
    yield castDoubles(isLong ? block.slice() : block, dtype, NONE_EXACT, (index, value, fitting) =>
      misfit(from + index, value, fitting),
    );
  }
}

const NONE_EXACT: ReadonlyMap<number, bigint> = new Map();

function asNumber(value: unknown): number {
  return typeof value === 'string' ? (SPECIAL_NUMBERS[value] ?? Number(value)) : value ? 1 : 0;
}

function within(exact: ReadonlyMap<number, bigint>, from: number, to: number): Map<number, bigint> {
  return new Map([...exact].filter(([i]) => i >= from && i < to).map(([i, value]) => [i - from, value]));
}

/** The innermost lists in order; one loop for any depth, since there may be as many lists as numbers. */
function* leavesOf(list: readonly unknown[], depth: number): Generator<readonly unknown[]> {
  if (depth === 1) {
    yield list;
    return;
  }
  const path = [list];
  const places = [0];
  while (path.length > 0) {
    const top = path.length - 1;
    const current = path[top]!;
    if (places[top] === current.length) {
      path.pop();
      places.pop();
      continue;
    }
    // The survey has seen that every entry above the innermost level is a list.
    const child = current[places[top]!++] as readonly unknown[];
    if (path.length === depth - 1) yield child;
    else {
      path.push(child);
      places.push(0);
    }
  }
}
