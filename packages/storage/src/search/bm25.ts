/** Term counts are capped at what fits into a byte: higher counts barely change the score. */
export const MAX_OCCURRENCES = 255;

const K1 = 1.2;
const B = 0.75;
/** What a term adds at most, before its idf and boost. */
export const MAX_SATURATION = K1 + 1;

/** How much a term tells, given how many of all chunks have it. */
export function idf(chunks: number, chunksWithTerm: number): number {
  return Math.log(1 + (chunks - chunksWithTerm + 0.5) / (chunksWithTerm + 0.5));
}

/** What one term adds to a chunk's score, before its idf and boost. */
export function saturation(occurrences: number, length: number, averageLength: number): number {
  const counted = Math.min(occurrences, MAX_OCCURRENCES);
  return (counted * (K1 + 1)) / (counted + K1 * (1 - B + (B * length) / averageLength));
}
