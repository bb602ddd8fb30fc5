import { createHash } from 'node:crypto';
import type { IndexedDocument } from '@atoll-mcp/core/storage';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** JSON with the keys of every object in one order: stores may keep them in another than they were given in. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
  });
}

/** The same for documents that an index cannot tell apart. */
export function documentDigest({ id, attributes = {}, chunks }: IndexedDocument): string {
  const present = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
  const parts = chunks.map(({ terms, vector, payload }) => [
    [...terms].sort(),
    // Adding 0 makes 0 of -0, which text does not tell apart.
    vector ? Array.from(vector, (value) => value + 0) : null,
    payload ?? null,
  ]);
  return sha256(canonical([id, present, parts]));
}
