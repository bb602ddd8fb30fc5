import { isObject } from '@atoll-mcp/core';
import { badRange } from './errors.ts';
import { outlineOf } from './outline.ts';

/** A part of a value that fits into a response. */
export interface ReadPart {
  readonly type: 'list' | 'object' | 'text' | 'value';
  /** Items of a list, keys of an object, characters of a text. */
  readonly length?: number;
  /** The returned range. */
  readonly range?: string;
  readonly value: unknown;
  /** Range of the next part. */
  readonly next_range?: string;
  /** Replaces a single value that is too large. */
  readonly shape?: string;
}

/** Reads a range of a list, an object or a text, as much as fits into so many bytes. */
export function readPart(value: unknown, range: string | undefined, maxBytes: number): ReadPart {
  if (typeof value === 'string') return readText(value, range, maxBytes);
  if (Array.isArray(value)) return readItems('list', value, range, maxBytes, (items) => items);
  if (isObject(value)) return readItems('object', Object.entries(value), range, maxBytes, Object.fromEntries);
  return { type: 'value', value };
}

function readText(text: string, range: string | undefined, maxBytes: number): ReadPart {
  const [start, end] = boundsOf(range, text.length);
  let stop = Math.min(end, start + maxBytes);
  while (stop > start && Buffer.byteLength(text.slice(start, stop)) > maxBytes) stop -= Math.ceil((stop - start) / 8);
  return { type: 'text', length: text.length, ...rangeOf(start, stop, end), value: text.slice(start, stop) };
}

function readItems<Item>(
  type: 'list' | 'object',
  items: readonly Item[],
  range: string | undefined,
  maxBytes: number,
  build: (items: readonly Item[]) => unknown,
): ReadPart {
  const [start, end] = boundsOf(range, items.length);
  let bytes = 2;
  let stop = start;
  for (; stop < end; stop++) {
    bytes += Buffer.byteLength(JSON.stringify(items[stop]) ?? 'null') + 1;
    if (bytes > maxBytes) break;
  }
  if (stop > start || start === end) {
    return { type, length: items.length, ...rangeOf(start, stop, end), value: build(items.slice(start, stop)) };
  }
  // Not even the first item fits: its shape shows which paths to read.
  const shape = outlineOf(type === 'list' ? items[start] : build(items.slice(start, start + 1)));
  return { type, length: items.length, ...rangeOf(start, start + 1, end), value: null, shape };
}

const rangeOf = (start: number, stop: number, end: number) => ({
  range: `${start}:${stop}`,
  ...(stop < end && { next_range: `${stop}:${end}` }),
});

function boundsOf(range: string | undefined, length: number): [number, number] {
  if (range === undefined) return [0, length];
  const found = /^\s*(-?\d*)\s*:\s*(-?\d*)\s*$/.exec(range);
  if (!found) throw badRange(range);
  const [, from = '', to = ''] = found;
  const place = (text: string, otherwise: number) => {
    const number = text === '' || text === '-' ? otherwise : Number(text);
    return Math.min(length, Math.max(0, number < 0 ? length + number : number));
  };
  const start = place(from, 0);
  return [start, Math.max(start, place(to, length))];
}
