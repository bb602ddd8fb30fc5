import { MAX_OCCURRENCES } from './bm25.ts';

/**
 * The terms of a chunk, each as often as it occurs. Counts end at the most that an index keeps; the length does not, so
 * what is missing belongs to a term that reached it, and which of them is all the same to an index.
 */
export function occurrences(counts: readonly (readonly [term: string, count: number])[], length: number): string[] {
  const terms = counts.flatMap(([term, count]) => Array.from({ length: count }, () => term));
  const frequent = counts.find(([, count]) => count >= MAX_OCCURRENCES)?.[0];
  if (frequent !== undefined) while (terms.length < length) terms.push(frequent);
  return terms;
}
