import { isObject } from '@atoll-mcp/core';

/** The value of a text that is plain JSON; undefined for anything else, and where a key is given twice, of which JSON.parse keeps one. */
export function plainJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const keys = [...text.matchAll(STRING)].filter(([, colon]) => colon !== undefined).length;
    return keys === countKeys(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A string, and the colon behind it if it is a key. */
const STRING = /"(?:[^"\\]|\\.)*"\s*(:)?/g;

function countKeys(value: unknown): number {
  const inner: unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  const own = isObject(value) ? inner.length : 0;
  return inner.reduce<number>((sum, each) => sum + countKeys(each), own);
}
