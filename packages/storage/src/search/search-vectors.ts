import type { ChunkSlots } from './chunk-slots.ts';
import { ensureCapacity } from './ensure-capacity.ts';
import { lengthOf, type QuantizedVectors } from './quantized-vectors.ts';
import { rotator } from './rotation.ts';
import { TopK } from './top-k.ts';
import { BLOCK_ROWS, type SketchQuery, VectorMemory } from './vector-memory.ts';

/** How many rows are compared by their bytes before it is known what is good enough. */
const MIN_COMPARED = 256;

/** An estimate from a sketch is too low by more than this many standard errors about four times in a thousand. */
const STANDARD_ERRORS = 2.65;

/**
 * Finds the nearest vectors in three steps, each on fewer rows: all sketches are looked through; rows whose sketch
 * allows for a good score are compared by a byte per dimension; of these the caller compares the best by whole vectors.
 */
export class VectorScan {
  readonly #slots: ChunkSlots;
  readonly #memory: VectorMemory;
  readonly #rotate: (vector: Float32Array) => Float32Array;
  readonly #standardError: number;
  #slotOf = new Uint32Array(0);
  #scales = new Float32Array(0);
  #factors = new Float32Array(0);
  #longest = 0;
  #estimates = new Float32Array(0);
  #rows = 0;

  constructor(dimensions: number, slots: ChunkSlots) {
    this.#slots = slots;
    this.#memory = new VectorMemory(dimensions);
    this.#rotate = rotator(dimensions);
    // Signs keep 2/π of a vector's square; the rest of it is what the estimate does not know.
    this.#standardError = Math.sqrt((Math.PI / 2 - 1) / dimensions);
  }

  add(codes: QuantizedVectors, firstSlot: number): void {
    const { chunks, scales, factors, lengths } = codes;
    const end = this.#rows + chunks.length;
    this.#slotOf = ensureCapacity(this.#slotOf, end);
    this.#scales = ensureCapacity(this.#scales, end);
    this.#factors = ensureCapacity(this.#factors, end);
    this.#scales.set(scales, this.#rows);
    this.#factors.set(factors, this.#rows);
    this.#longest = lengths.reduce((most, length) => Math.max(most, length), this.#longest);
    this.#memory.reserveRows(end);
    for (let index = 0; index < chunks.length; index++) {
      this.#memory.write(this.#rows + index, codes, index);
      this.#slotOf[this.#rows + index] = firstSlot + (chunks[index] as number);
    }
    this.#rows = end;
  }

  /** `k` slots and `spare` more, nearest first as far as a byte per dimension can tell. */
  search(
    query: Float32Array,
    { k, spare, mask }: { k: number; spare: number; mask: Uint8Array },
  ): { item: number; score: number }[] {
    const { unit, sketch } = this.#memory.setQuery(this.#rotate(query));
    this.#estimate(sketch);
    const first = this.#likeliest(MIN_COMPARED + k + spare, mask);
    const best = new TopK(k + spare);
    const sure = new TopK(k);
    this.#compare(first.items(), unit, best, sure);
    if (first.bar > Number.NEGATIVE_INFINITY) {
      const margin = STANDARD_ERRORS * this.#standardError * lengthOf(query) * this.#longest;
      this.#compare(this.#leftOut(sure.bar - margin, first, mask), unit, best, sure);
    }
    return best.sorted().map(({ item, score }) => ({ item: this.#slotOf[item] as number, score }));
  }

  /** What the sketches say of each row. */
  #estimate({ step, offset }: SketchQuery): void {
    if (this.#estimates.length < this.#rows) this.#estimates = new Float32Array(this.#slotOf.length);
    const estimates = this.#estimates;
    const factors = this.#factors;
    for (let first = 0; first < this.#rows; first += BLOCK_ROWS) {
      const sums = this.#memory.sums(first / BLOCK_ROWS);
      const count = Math.min(BLOCK_ROWS, this.#rows - first);
      for (let within = 0; within < count; within++) {
        estimates[first + within] = ((sums[within] as number) * step - offset) * (factors[first + within] as number);
      }
    }
  }

  #likeliest(count: number, mask: Uint8Array): TopK {
    const estimates = this.#estimates;
    const best = new TopK(count);
    let bar = best.bar;
    for (let row = 0; row < this.#rows; row++) {
      const estimate = estimates[row] as number;
      if (estimate <= bar || !this.#isWanted(row, mask)) continue;
      best.add(row, estimate);
      bar = best.bar;
    }
    return best;
  }

  /** Rows that the first choice left out although they may still be among the best. */
  #leftOut(least: number, first: TopK, mask: Uint8Array): Uint32Array {
    const estimates = this.#estimates;
    const { bar } = first;
    if (least > bar) return new Uint32Array(0);
    // Of the rows right at the bar some were chosen.
    const chosen = new Set(first.items().filter((row) => estimates[row] === bar));
    const rows = new Uint32Array(this.#rows);
    let count = 0;
    for (let row = 0; row < this.#rows; row++) {
      const estimate = estimates[row] as number;
      if (estimate < least || estimate > bar || !this.#isWanted(row, mask) || chosen.has(row)) continue;
      rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  #isWanted(row: number, mask: Uint8Array): boolean {
    return mask[this.#slots.place(this.#slotOf[row] as number)] === 1;
  }

  #compare(rows: Uint32Array, unit: number, best: TopK, sure: TopK): void {
    let bar = best.bar;
    for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
      const part = rows.subarray(from, from + BLOCK_ROWS);
      const dots = this.#memory.dots(part);
      for (let index = 0; index < part.length; index++) {
        const row = part[index] as number;
        const score = (dots[index] as number) * unit * (this.#scales[row] as number);
        if (score <= bar) continue;
        best.add(row, score);
        sure.add(row, score);
        bar = best.bar;
      }
    }
  }
}
