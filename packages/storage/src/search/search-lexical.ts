import { StorageError } from '@atoll-mcp/core/storage';
import { idf, MAX_SATURATION, saturation } from './bm25.ts';
import type { ChunkSlots } from './chunk-slots.ts';
import { ensureCapacity } from './ensure-capacity.ts';
import { END, unpack } from './postings.ts';
import { TopK } from './top-k.ts';

/** Beyond this many bytes of new postings they are merged into the large arrays. */
const MAX_RECENT_BYTES = 2 << 20;

/** A posting is a slot and a count in one number: 24 bits and 8. */
const MAX_SLOTS = 2 ** 24;

interface Batch {
  readonly bytes: Uint8Array;
  readonly firstSlot: number;
}

/** Which chunks have which terms, in memory: two large arrays, and a map for what came since they were built. */
export class LexicalIndex {
  readonly #slots: ChunkSlots;
  /** Postings of term t lie from offsets[t] up to offsets[t + 1]. */
  #offsets = new Uint32Array(1);
  #postings = new Uint32Array(0);
  #recent = new Map<number, number[]>();
  #recentBatches: Batch[] = [];
  #waiting: Batch[] = [];
  #lengths = new Uint32Array(0);
  #totalLength = 0;
  #scores = new Float64Array(0);
  #unpacked = new Uint32Array(0);

  constructor(slots: ChunkSlots) {
    this.#slots = slots;
  }

  add(bytes: Uint8Array, firstSlot: number): void {
    this.#waiting.push({ bytes, firstSlot });
  }

  /** Takes in what was added. `terms` is the highest term number. */
  settle(terms: number): void {
    if (this.#waiting.length === 0) return;
    if (this.#slots.used > MAX_SLOTS) throw tooManyChunks();
    this.#lengths = ensureCapacity(this.#lengths, this.#slots.used);
    const batches = [...this.#recentBatches, ...this.#waiting];
    if (batches.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_RECENT_BYTES) this.#merge(terms);
    else this.#remember();
    this.#waiting = [];
  }

  remove({ start, size }: { start: number; size: number }): void {
    for (let slot = start; slot < start + size; slot++) this.#totalLength -= this.#lengths[slot] as number;
  }

  /**
   * `mask` says by place which documents are wanted, `live` which are there at all. A term without a number is in no chunk, and counts
   * in the bound only.
   */
  search(
    terms: readonly { number: number | undefined; boost: number }[],
    { k, mask, live }: { k: number; mask: Uint8Array; live: Uint8Array },
  ): { ranked: { item: number; score: number }[]; bound: number } {
    const slots = this.#slots;
    if (this.#scores.length < slots.used) this.#scores = new Float64Array(this.#lengths.length);
    const scores = this.#scores.fill(0);
    let weights = 0;
    for (const { number, boost } of terms) {
      weights += number === undefined ? boost * idf(slots.live, 0) : this.#addTerm(scores, number, boost, live);
    }
    const bound = weights * MAX_SATURATION;
    if (terms.every(({ number }) => number === undefined)) return { ranked: [], bound };
    const best = new TopK(k);
    let bar = 0;
    for (let slot = 0; slot < slots.used; slot++) {
      const score = scores[slot] as number;
      if (score > bar && mask[slots.place(slot)] === 1) {
        best.add(slot, score);
        bar = Math.max(0, best.bar);
      }
    }
    return { ranked: best.sorted(), bound };
  }

  /** Gives what the term weighs. */
  #addTerm(scores: Float64Array, term: number, boost: number, live: Uint8Array): number {
    const slots = this.#slots;
    const settled = this.#postings.subarray(this.#offsets[term] ?? 0, this.#offsets[term + 1] ?? 0);
    const recent = Uint32Array.from(this.#recent.get(term) ?? []);
    const allLive = slots.live === slots.used;
    const count = (list: Uint32Array) => (allLive ? list.length : this.#countLive(list, live));
    const weight = boost * idf(slots.live, count(settled) + count(recent));
    const average = this.#totalLength / slots.live;
    for (const list of [settled, recent]) {
      for (let index = 0; index < list.length; index++) {
        const posting = list[index] as number;
        const slot = posting >>> 8;
        const share = weight * saturation(posting & 255, this.#lengths[slot] as number, average);
        scores[slot] = (scores[slot] as number) + share;
      }
    }
    return weight;
  }

  #countLive(list: Uint32Array, live: Uint8Array): number {
    let count = 0;
    for (const posting of list) count += live[this.#slots.place(posting >>> 8)] as number;
    return count;
  }

  #remember(): void {
    for (const batch of this.#waiting) {
      const numbers = this.#unpack(batch);
      this.#measure(numbers, batch);
      this.#list(numbers, batch);
    }
    this.#recentBatches.push(...this.#waiting);
  }

  /** Builds both large arrays again: count, add up, copy, fill. */
  #merge(terms: number): void {
    const before = this.#offsets;
    const offsets = new Uint32Array(terms + 2);
    for (let term = 0; term + 1 < before.length; term++) {
      offsets[term + 1] = (before[term + 1] as number) - (before[term] as number);
    }
    for (const batch of this.#recentBatches) countTerms(this.#unpack(batch), offsets);
    for (const batch of this.#waiting) {
      const numbers = this.#unpack(batch);
      this.#measure(numbers, batch);
      countTerms(numbers, offsets);
    }
    for (let term = 0; term <= terms; term++) {
      offsets[term + 1] = (offsets[term + 1] as number) + (offsets[term] as number);
    }
    const postings = new Uint32Array(offsets[terms + 1] as number);
    const next = offsets.slice();
    for (let term = 0; term + 1 < before.length; term++) {
      const end = before[term + 1] as number;
      let to = next[term] as number;
      for (let from = before[term] as number; from < end; from++) postings[to++] = this.#postings[from] as number;
      next[term] = to;
    }
    for (const batch of [...this.#recentBatches, ...this.#waiting]) fill(this.#unpack(batch), batch, next, postings);
    this.#offsets = offsets;
    this.#postings = postings;
    this.#recent = new Map();
    this.#recentBatches = [];
  }

  #measure(numbers: Uint32Array, { firstSlot }: Batch): void {
    let slot = firstSlot;
    for (let at = 0; numbers[at] !== END; slot++) {
      const length = numbers[at++] as number;
      this.#lengths[slot] = length;
      this.#totalLength += length;
      for (let rest = numbers[at++] as number; rest > 0; rest--) at += 1 + ((numbers[at] as number) & 1);
    }
  }

  #list(numbers: Uint32Array, { firstSlot }: Batch): void {
    let slot = firstSlot;
    for (let at = 0; numbers[at] !== END; slot++) {
      let term = 0;
      at++;
      for (let rest = numbers[at++] as number; rest > 0; rest--) {
        const step = numbers[at++] as number;
        term += step >>> 1;
        const posting = ((slot << 8) | (step & 1 ? (numbers[at++] as number) : 1)) >>> 0;
        const list = this.#recent.get(term);
        if (list === undefined) this.#recent.set(term, [posting]);
        else list.push(posting);
      }
    }
  }

  #unpack({ bytes }: Batch): Uint32Array {
    if (this.#unpacked.length <= bytes.length) this.#unpacked = new Uint32Array(bytes.length + 1);
    unpack(bytes, this.#unpacked);
    return this.#unpacked;
  }
}

// These walk as #measure and #list do. They are written out because a call for each of millions of postings would cost
// more than the work itself.
function countTerms(numbers: Uint32Array, counts: Uint32Array): void {
  for (let at = 0; numbers[at] !== END; ) {
    let term = 0;
    at++;
    for (let rest = numbers[at++] as number; rest > 0; rest--) {
      const step = numbers[at] as number;
      term += step >>> 1;
      counts[term + 1] = (counts[term + 1] as number) + 1;
      at += 1 + (step & 1);
    }
  }
}

function fill(numbers: Uint32Array, { firstSlot }: Batch, next: Uint32Array, postings: Uint32Array): void {
  let slot = firstSlot;
  for (let at = 0; numbers[at] !== END; slot++) {
    let term = 0;
    at++;
    for (let rest = numbers[at++] as number; rest > 0; rest--) {
      const step = numbers[at++] as number;
      term += step >>> 1;
      const occurrences = step & 1 ? (numbers[at++] as number) : 1;
      const to = next[term] as number;
      postings[to] = (slot << 8) | occurrences;
      next[term] = to + 1;
    }
  }
}

const tooManyChunks = () => new StorageError('full', `A search index in one file holds ${MAX_SLOTS} chunks at most.`);
