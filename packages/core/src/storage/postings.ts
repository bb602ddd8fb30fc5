import { MOST_OCCURRENCES } from './bm25.ts';

/** How often a chunk has each term. */
export interface ChunkTerms {
  /** All occurrences together. */
  readonly length: number;
  /** Pairs of term number and count, by term number. */
  readonly counts: readonly (readonly [term: number, count: number])[];
}

/**
 * The terms of a document's chunks as bytes: for each chunk its length and how many different terms it has, then for
 * each of these the distance to the term before it and its count; all as variable-length integers.
 */
export function encodePostings(chunks: readonly ChunkTerms[]): Uint8Array {
  const size = chunks.reduce((sum, { counts }) => sum + 10 + counts.length * 7, 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  const write = (value: number) => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
  };
  for (const { length, counts } of chunks) {
    write(length);
    write(counts.length);
    let last = 0;
    for (const [term, count] of counts) {
      write(term - last);
      write(Math.min(count, MOST_OCCURRENCES));
      last = term;
    }
  }
  return bytes.slice(0, at);
}

/** Goes through the bytes chunk by chunk; plain calls, because this is what opening an index spends its time on. */
export class PostingsReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[this.#at++] as number;
      value += (byte & 127) * 2 ** shift;
    }
    return value;
  }
}
