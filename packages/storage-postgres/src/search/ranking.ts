import { setImmediate as breathe } from 'node:timers/promises';
import type { SearchResult } from '@atoll-mcp/core/storage';
import { idf, MAX_SATURATION, TopK } from '@atoll-mcp/storage/search';
import { addScores, countMarked, type List } from './lists.ts';

/** Yields to the event loop after this many bytes of lists, some milliseconds of work. */
const BYTES_AT_ONCE = 1 << 20;

/** An immutable set of documents, with the lengths of their chunks. */
export interface Part {
  readonly documents: readonly { readonly number: number; readonly id: string }[];
  /** The slot of each document's first chunk. */
  readonly starts: readonly number[];
  /** Of each chunk, by its slot. */
  readonly lengths: Uint32Array;
}

/** A part as it is stored: its documents, each with the lengths of its chunks. */
export type Directory = readonly (readonly [number: number, id: string, lengths: readonly number[]])[];

export interface SearchedPart {
  readonly part: Part;
  /** In the order of the terms; undefined where no chunk has the term. */
  readonly lists: readonly (List | undefined)[];
  /** By slot, if documents were removed from the part. */
  readonly live: Uint8Array | undefined;
  /** By slot, if a filter applies. */
  readonly wanted: Uint8Array | undefined;
}

export type Ranked = Pick<SearchResult, 'lexical' | 'lexicalBound'>;

interface Ranking {
  readonly parts: readonly SearchedPart[];
  readonly boosts: readonly number[];
  readonly chunks: number;
  readonly averageLength: number;
  readonly k: number;
}

export function partOf(directory: Directory): Part {
  let next = 0;
  const starts = directory.map(([, , lengths]) => {
    const start = next;
    next += lengths.length;
    return start;
  });
  return {
    documents: directory.map(([number, id]) => ({ number, id })),
    starts,
    lengths: Uint32Array.from(directory.flatMap(([, , lengths]) => lengths)),
  };
}

/** By slot: 1 for the chunks of the documents that are kept. */
export function marksOf({ documents, starts, lengths }: Part, isKept: (document: number) => boolean): Uint8Array {
  const marks = new Uint8Array(lengths.length);
  for (const [place, { number }] of documents.entries()) {
    if (isKept(number)) marks.fill(1, starts[place], starts[place + 1] ?? lengths.length);
  }
  return marks;
}

/** The top results by BM25 over all parts; sums in the same order as the embedded engine, so that scores are equal. */
export async function rank({ parts, boosts, chunks, averageLength, k }: Ranking): Promise<Ranked> {
  const weights = boosts.map((boost, term) => boost * idf(chunks, holdersOf(parts, term)));
  const best = new TopK(k);
  const starts: number[] = [];
  let scores = new Float64Array(0);
  let items = 0;
  let bytes = 0;
  for (const { part, lists, live, wanted = live } of parts) {
    const { lengths } = part;
    if (scores.length < lengths.length) scores = new Float64Array(lengths.length);
    else scores.fill(0, 0, lengths.length);
    for (const [term, list] of lists.entries()) {
      if (list === undefined) continue;
      addScores(list, { weight: weights[term] as number, lengths, averageLength }, scores);
      bytes += list.bytes.length;
    }
    offer(best, items, { scores, size: lengths.length, wanted });
    starts.push(items);
    items += lengths.length;
    if (bytes > BYTES_AT_ONCE) {
      await breathe();
      bytes = 0;
    }
  }
  const lexical = best.sorted().map(({ item, score }) => {
    const place = lastAtMost(starts, item);
    return { ...chunkAt(parts[place]!.part, item - starts[place]!), score };
  });
  return { lexical, lexicalBound: weights.reduce((sum, weight) => sum + weight * MAX_SATURATION, 0) };
}

function holdersOf(parts: readonly SearchedPart[], term: number): number {
  return parts.reduce((sum, { lists, live }) => {
    const list = lists[term];
    if (list === undefined) return sum;
    return sum + (live === undefined ? list.holders : countMarked(list, live));
  }, 0);
}

function offer(
  best: TopK,
  firstItem: number,
  { scores, size, wanted }: { scores: Float64Array; size: number; wanted: Uint8Array | undefined },
): void {
  let bar = Math.max(0, best.bar);
  for (let slot = 0; slot < size; slot++) {
    const score = scores[slot] as number;
    if (score <= bar || wanted?.[slot] === 0) continue;
    best.add(firstItem + slot, score);
    bar = Math.max(0, best.bar);
  }
}

function chunkAt({ documents, starts }: Part, slot: number): { documentId: string; chunk: number } {
  const place = lastAtMost(starts, slot);
  return { documentId: documents[place]!.id, chunk: slot - starts[place]! };
}

/** Where the last of the rising numbers is that is not above the value: what is empty begins where the next one does. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0;
  for (let high = numbers.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) > value) high = middle - 1;
    else low = middle;
  }
  return low;
}
