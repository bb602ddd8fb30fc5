import { Best } from './best.ts';
import { idf, saturation } from './bm25.ts';
import { StorageError } from './errors.ts';
import { grown } from './growing.ts';
import { PostingsReader } from './postings.ts';
import type { Slots } from './search-slots.ts';

/** Beyond this many bytes of new postings they are merged into the large arrays. */
const MOST_RECENT_BYTES = 4 << 20;

const tooManyChunks = () => new StorageError('full', `A search index in one file holds ${MOST_SLOTS} chunks at most.`);

interface Batch {
  readonly bytes: Uint8Array;
  readonly firstSlot: number;
}

/** A posting is a slot and a count in one number: 24 bits and 8. */
const pack = (slot: number, count: number) => ((slot << 8) | count) >>> 0;
const MOST_SLOTS = 2 ** 24;

/** Which chunks have which terms, in memory: two large arrays, and a map for what came since they were built. */
export class LexicalIndex {
  readonly #slots: Slots;
  /** Postings of term t lie from offsets[t] up to offsets[t + 1]. */
  #offsets = new Uint32Array(1);
  #postings = new Uint32Array(0);
  #recent = new Map<number, number[]>();
  #recentBatches: Batch[] = [];
  #waiting: Batch[] = [];
  #lengths = new Uint32Array(0);
  #totalLength = 0;
  #scores = new Float64Array(0);

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  add(bytes: Uint8Array, firstSlot: number): void {
    this.#waiting.push({ bytes, firstSlot });
  }

  /** Takes in what was added. `terms` is the highest term number. */
  settle(terms: number): void {
    if (this.#waiting.length === 0) return;
    if (this.#slots.used > MOST_SLOTS) throw tooManyChunks();
    this.#lengths = grown(this.#lengths, this.#slots.used);
    const batches = this.#waiting;
    this.#waiting = [];
    const all = [...this.#recentBatches, ...batches];
    if (all.reduce((sum, { bytes }) => sum + bytes.length, 0) > MOST_RECENT_BYTES) this.#merge(all, batches, terms);
    else this.#remember(batches);
  }

  remove({ start, size }: { start: number; size: number }): void {
    for (let slot = start; slot < start + size; slot++) this.#totalLength -= this.#lengths[slot] as number;
  }

  /** `mask` says by place which documents are wanted, `live` which are there at all. */
  search(
    terms: readonly { number: number; boost: number }[],
    { k, mask, live }: { k: number; mask: Uint8Array; live: Uint8Array },
  ): { item: number; score: number }[] {
    const slots = this.#slots;
    if (this.#scores.length < slots.used) this.#scores = new Float64Array(this.#lengths.length);
    const scores = this.#scores.fill(0);
    for (const { number, boost } of terms) this.#addTerm(scores, number, boost, live);
    const best = new Best(k);
    let bar = best.bar;
    for (let slot = 0; slot < slots.used; slot++) {
      const score = scores[slot] as number;
      if (score > 0 && score > bar && mask[slots.place(slot)] === 1) {
        best.add(slot, score);
        bar = best.bar;
      }
    }
    return best.sorted();
  }

  #addTerm(scores: Float64Array, term: number, boost: number, live: Uint8Array): void {
    const slots = this.#slots;
    const lists = this.#lists(term);
    const allLive = slots.live === slots.used;
    const having = lists.reduce((sum, list) => sum + (allLive ? list.length : this.#countLive(list, live)), 0);
    const weight = boost * idf(slots.live, having);
    const average = this.#totalLength / slots.live;
    for (const list of lists) {
      for (let index = 0; index < list.length; index++) {
        const posting = list[index] as number;
        const slot = posting >>> 8;
        scores[slot] =
          (scores[slot] as number) + weight * saturation(posting & 255, this.#lengths[slot] as number, average);
      }
    }
  }

  #lists(term: number): ArrayLike<number>[] {
    const settled = this.#postings.subarray(this.#offsets[term] ?? 0, this.#offsets[term + 1] ?? 0);
    return [settled, this.#recent.get(term) ?? []];
  }

  #countLive(list: ArrayLike<number>, live: Uint8Array): number {
    let count = 0;
    for (let index = 0; index < list.length; index++)
      count += live[this.#slots.place((list[index] as number) >>> 8)] as number;
    return count;
  }

  #remember(batches: readonly Batch[]): void {
    for (const batch of batches) {
      this.#measure(batch);
      each(batch, (term, posting) => {
        const list = this.#recent.get(term);
        if (list === undefined) this.#recent.set(term, [posting]);
        else list.push(posting);
      });
    }
    this.#recentBatches.push(...batches);
  }

  /** Builds both large arrays anew: count, add up, fill. */
  #merge(all: readonly Batch[], unmeasured: readonly Batch[], terms: number): void {
    for (const batch of unmeasured) this.#measure(batch);
    const before = this.#offsets;
    const offsets = new Uint32Array(terms + 2);
    for (let term = 0; term + 1 < before.length; term++) {
      offsets[term + 1] = (before[term + 1] as number) - (before[term] as number);
    }
    for (const batch of all)
      each(batch, (term) => {
        offsets[term + 1] = (offsets[term + 1] as number) + 1;
      });
    for (let term = 0; term <= terms; term++)
      offsets[term + 1] = (offsets[term + 1] as number) + (offsets[term] as number);
    const postings = new Uint32Array(offsets[terms + 1] as number);
    const next = offsets.slice();
    for (let term = 0; term + 1 < before.length; term++) {
      const start = before[term] as number;
      const end = before[term + 1] as number;
      let to = next[term] as number;
      for (let from = start; from < end; from++) postings[to++] = this.#postings[from] as number;
      next[term] = to;
    }
    for (const batch of all)
      each(batch, (term, posting) => {
        const to = next[term] as number;
        postings[to] = posting;
        next[term] = to + 1;
      });
    this.#offsets = offsets;
    this.#postings = postings;
    this.#recent = new Map();
    this.#recentBatches = [];
  }

  #measure({ bytes, firstSlot }: Batch): void {
    const reader = new PostingsReader(bytes);
    for (let slot = firstSlot; !reader.done; slot++) {
      const length = reader.next();
      this.#lengths[slot] = length;
      this.#totalLength += length;
      for (let rest = 2 * reader.next(); rest > 0; rest--) reader.next();
    }
  }
}

function each({ bytes, firstSlot }: Batch, visit: (term: number, posting: number) => void): void {
  const reader = new PostingsReader(bytes);
  for (let slot = firstSlot; !reader.done; slot++) {
    reader.next();
    let term = 0;
    for (let rest = reader.next(); rest > 0; rest--) {
      term += reader.next();
      visit(term, pack(slot, reader.next()));
    }
  }
}
