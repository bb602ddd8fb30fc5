import { MAX_OCCURRENCES } from './bm25.ts';

/** How often a chunk has each term. */
export interface ChunkTerms {
  /** All occurrences together. */
  readonly length: number;
  /** Pairs of term number and count, by term number. */
  readonly counts: readonly (readonly [term: number, count: number])[];
}

/**
 * The terms of a document's chunks as bytes. Each chunk is its length, how many different terms it has, and these: the
 * distance to the term before, doubled, plus one if a count follows; without one the count is 1. All numbers are
 * variable-length integers, seven bits to a byte, low bits first.
 */
export function encodePostings(chunks: Iterable<ChunkTerms>): Uint8Array {
  // Chunk by chunk: the counts of a large document would take many times the room of its bytes.
  const parts = Array.from(chunks, encodeChunk);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function encodeChunk({ length, counts }: ChunkTerms): Uint8Array {
  const bytes = new Uint8Array(10 + counts.length * 7);
  let at = 0;
  const write = (value: number) => {
    let rest = value;
    for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
  };
  write(length);
  write(counts.length);
  let last = 0;
  for (const [term, count] of counts) {
    write((term - last) * 2 + Number(count > 1));
    if (count > 1) write(Math.min(count, MAX_OCCURRENCES));
    last = term;
  }
  return bytes.slice(0, at);
}

/** What `encodePostings` was given, with counts as far as they are kept. */
export function decodePostings(bytes: Uint8Array): ChunkTerms[] {
  const numbers = new Uint32Array(bytes.length + 1);
  unpack(bytes, numbers);
  const chunks: ChunkTerms[] = [];
  let at = 0;
  const read = () => numbers[at++] as number;
  while (numbers[at] !== END) {
    const length = read();
    let term = 0;
    const counts = Array.from({ length: read() }, () => {
      const packed = read();
      term += packed >>> 1;
      return [term, packed & 1 ? read() : 1] as const;
    });
    chunks.push({ length, counts });
  }
  return chunks;
}

/** The numbers in the bytes; opening an index spends most of its time here, so this loop does nothing else. */
export function unpack(bytes: Uint8Array, into: Uint32Array): void {
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    into[count++] = value;
  }
  into[count] = END;
}

/** No number that is ever packed: marks where the unpacked ones end. */
export const END = 0xffff_ffff;
