import { Best } from './best.ts';
import type { Codes } from './codes.ts';
import { grown } from './growing.ts';
import { openScanKernel } from './scan-kernel.ts';
import type { Slots } from './search-slots.ts';

const BLOCK_ROWS = 4096;
const WASM_PAGE_BYTES = 65_536;

/**
 * All vectors in a byte per dimension, looked through from end to end by a SIMD kernel. The order it finds is nearly
 * right; whoever wants it exact compares the best of them again by their whole vectors.
 */
export class VectorScan {
  readonly #slots: Slots;
  readonly #dimensions: number;
  /** Rows are padded to what the kernel takes at a time. */
  readonly #width: number;
  readonly #kernel = openScanKernel();
  #slotOf = new Uint32Array(0);
  #rows = 0;

  constructor(dimensions: number, slots: Slots) {
    this.#slots = slots;
    this.#dimensions = dimensions;
    this.#width = Math.ceil(dimensions / 16) * 16;
  }

  add({ chunks, scales, values }: Codes, firstSlot: number): void {
    const end = this.#rows + chunks.length;
    this.#slotOf = grown(this.#slotOf, end);
    this.#reserve(Math.ceil(end / BLOCK_ROWS));
    for (let index = 0; index < chunks.length; index++) {
      const row = this.#rows + index;
      const { rows, scales: scaleAt } = this.#block(Math.floor(row / BLOCK_ROWS));
      const within = row % BLOCK_ROWS;
      const from = index * this.#dimensions;
      const bytes = new Int8Array(this.#kernel.memory.buffer, rows + within * this.#width, this.#dimensions);
      bytes.set(values.subarray(from, from + this.#dimensions));
      new Float32Array(this.#kernel.memory.buffer, scaleAt, BLOCK_ROWS)[within] = scales[index] as number;
      this.#slotOf[row] = firstSlot + (chunks[index] as number);
    }
    this.#rows = end;
  }

  /** The slots whose vectors are nearest, nearest first, as far as a byte per dimension can tell. */
  search(query: Float32Array, { k, mask }: { k: number; mask: Uint8Array }): { item: number; score: number }[] {
    const best = new Best(k);
    let bar = best.bar;
    this.#writeQuery(query);
    for (let first = 0; first < this.#rows; first += BLOCK_ROWS) {
      const { rows, scales, out } = this.#block(first / BLOCK_ROWS);
      const count = Math.min(BLOCK_ROWS, this.#rows - first);
      this.#kernel.scan(rows, Math.ceil(count / 4) * 4, this.#width, 0, scales, out);
      const scores = new Float32Array(this.#kernel.memory.buffer, out, count);
      for (let within = 0; within < count; within++) {
        const score = scores[within] as number;
        if (score <= bar) continue;
        const slot = this.#slotOf[first + within] as number;
        if (mask[this.#slots.place(slot)] !== 1) continue;
        best.add(slot, score);
        bar = best.bar;
      }
    }
    return best.sorted();
  }

  /** As numbers of 15 bits: what is lost is lost on the stored side. */
  #writeQuery(query: Float32Array): void {
    this.#reserve(0);
    const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const target = new Int16Array(this.#kernel.memory.buffer, 0, this.#width).fill(0);
    if (largest === 0) return;
    query.forEach((value, index) => {
      target[index] = Math.round((value / largest) * LARGEST_QUERY_VALUE);
    });
  }

  /** The memory begins with the query; blocks follow, each with its rows, their scales and room for their scores. */
  #block(index: number): { rows: number; scales: number; out: number } {
    const rows = this.#queryBytes + index * this.#blockBytes;
    const scales = rows + BLOCK_ROWS * this.#width;
    return { rows, scales, out: scales + BLOCK_ROWS * 4 };
  }

  get #queryBytes(): number {
    return this.#width * 2;
  }

  get #blockBytes(): number {
    return BLOCK_ROWS * (this.#width + 8);
  }

  #reserve(blocks: number): void {
    const missing = this.#queryBytes + blocks * this.#blockBytes - this.#kernel.memory.buffer.byteLength;
    if (missing > 0) this.#kernel.memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
  }
}

// Times 127 times the most dimensions this stays within the kernel's 32 bits.
const LARGEST_QUERY_VALUE = 2047;
