import { type ChunkTerms, saturation } from '@atoll-mcp/storage/search';

/** Which chunks have a term: their slots in rising order, and how often each has it. */
export interface List {
  /** How many chunks there are in it. */
  readonly holders: number;
  /**
   * For each chunk the distance to the slot before, doubled, plus one if a count follows; without one the count is 1.
   * Distances are variable-length integers, seven bits to a byte, low bits first; a count is a byte.
   */
  readonly bytes: Uint8Array;
}

/** For each term, the chunks that have it. A chunk's slot is its place among all that are given. */
export function invert(chunks: readonly ChunkTerms[]): Map<number, List> {
  const growing = new Map<number, { holders: number; last: number; bytes: number[] }>();
  for (const [slot, { counts }] of chunks.entries()) {
    for (const [term, count] of counts) {
      const list = growing.get(term) ?? { holders: 0, last: 0, bytes: [] };
      if (list.holders === 0) growing.set(term, list);
      let step = (slot - list.last) * 2 + Number(count > 1);
      for (; step > 127; step >>>= 7) list.bytes.push((step & 127) | 128);
      list.bytes.push(step);
      if (count > 1) list.bytes.push(count);
      list.last = slot;
      list.holders += 1;
    }
  }
  return new Map([...growing].map(([term, { holders, bytes }]) => [term, { holders, bytes: Uint8Array.from(bytes) }]));
}

/** Adds the term's contribution to each chunk's score. */
export function addScores(
  { bytes }: List,
  { weight, lengths, averageLength }: { weight: number; lengths: Uint32Array; averageLength: number },
  scores: Float64Array,
): void {
  let slot = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let step = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      step |= (byte & 127) << shift;
    }
    slot += step >>> 1;
    const occurrences = step & 1 ? (bytes[at++] as number) : 1;
    const share = weight * saturation(occurrences, lengths[slot] as number, averageLength);
    scores[slot] = (scores[slot] as number) + share;
  }
}

/** How many of the list's chunks are marked. */
export function countMarked({ bytes }: List, marks: Uint8Array): number {
  let count = 0;
  let slot = 0;
  // The same loop as addScores, duplicated because a call per posting would cost more than the work itself.
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let step = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      step |= (byte & 127) << shift;
    }
    slot += step >>> 1;
    at += step & 1;
    count += marks[slot] as number;
  }
  return count;
}
