import type { Json } from '@atoll-mcp/core';
import { badCursor } from '../errors.ts';

/**
 * One page of a merged list. A cursor names the last item returned, so a list that changes in between neither repeats
 * nor skips items.
 */
export function pageOf(
  items: readonly Json[],
  key: string,
  cursor: unknown,
  size: number,
): { page: readonly Json[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : startAfter(items, key, cursor);
  const page = start === 0 && items.length <= size ? items : items.slice(start, start + size);
  const last = page.at(-1);
  if (start + size >= items.length || !last) return { page };
  return { page, nextCursor: encode(start + size, String(last[key])) };
}

function startAfter(items: readonly Json[], key: string, cursor: unknown): number {
  const { offset, last } = decode(cursor);
  if (items[offset - 1]?.[key] === last) return offset;
  const found = items.findIndex((item) => item[key] === last);
  return found >= 0 ? found + 1 : Math.min(offset, items.length);
}

function encode(offset: number, last: string): string {
  return Buffer.from(JSON.stringify([offset, last])).toString('base64url');
}

function decode(cursor: unknown): { offset: number; last: string } {
  try {
    const [offset, last] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as unknown[];
    if (typeof offset === 'number' && Number.isInteger(offset) && offset > 0 && typeof last === 'string')
      return { offset, last };
  } catch {
    throw badCursor();
  }
  throw badCursor();
}
