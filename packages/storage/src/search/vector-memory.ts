import { type QuantizedVectors, sketchBytes } from './quantized-vectors.ts';
import { openScanKernel } from './scan-kernel.ts';

export const BLOCK_ROWS = 4096;
const GROUP_ROWS = 16;
const WASM_PAGE_BYTES = 65_536;
/** The kernel's sums have 16 bits, and an entry of a table at most seven. */
const MAX_SUM = 65_535;
const MAX_ENTRY = 127;
/** Times 127 times the most dimensions, this stays within the kernel's 32 bits. */
const MAX_QUERY_VALUE = 2047;

/** How to read the sums of a block: an estimate is `(sum * step - offset) * factor`. */
export interface SketchQuery {
  readonly step: number;
  readonly offset: number;
}

/** The kernel's memory: the query and a list of rows first, then blocks of rows with their sketches. */
export class VectorMemory {
  readonly #kernel = openScanKernel();
  readonly #dimensions: number;
  /** Rows are padded to what the kernel takes at a time. */
  readonly #width: number;
  readonly #steps: number;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#width = Math.ceil(dimensions / 16) * 16;
    this.#steps = this.#width / 8;
    this.#reserve(0);
  }

  reserveRows(rows: number): void {
    this.#reserve(Math.ceil(rows / BLOCK_ROWS));
  }

  write(row: number, { values, sketches }: QuantizedVectors, index: number): void {
    const { buffer } = this.#kernel.memory;
    const block = this.#block(Math.floor(row / BLOCK_ROWS));
    const within = row % BLOCK_ROWS;
    const from = index * this.#dimensions;
    const bytes = new Int8Array(buffer, block.rows + within * this.#width, this.#dimensions);
    bytes.set(values.subarray(from, from + this.#dimensions));
    const size = sketchBytes(this.#dimensions);
    const group = Math.floor(within / GROUP_ROWS) * this.#steps * GROUP_ROWS;
    const sketch = new Uint8Array(buffer, block.sketches + group, this.#steps * GROUP_ROWS);
    for (let step = 0; step < size; step++) {
      sketch[step * GROUP_ROWS + (within % GROUP_ROWS)] = sketches[index * size + step] as number;
    }
  }

  /** Sets what `sums` and `dots` compare with. `query` is turned already. Returns what a unit of `dots` is worth. */
  setQuery(query: Float32Array): { unit: number; sketch: SketchQuery } {
    const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    const target = new Int16Array(this.#kernel.memory.buffer, 0, this.#width).fill(0);
    for (const [index, value] of query.entries()) target[index] = Math.round((value / largest) * MAX_QUERY_VALUE);
    return { unit: largest / MAX_QUERY_VALUE, sketch: this.#setTables(query) };
  }

  /** One sum for each of the block's rows. */
  sums(block: number): Uint16Array {
    const { sketches, sums } = this.#block(block);
    this.#kernel.sums(sketches, BLOCK_ROWS / GROUP_ROWS, this.#steps, this.#tablesAt, sums);
    return new Uint16Array(this.#kernel.memory.buffer, sums, BLOCK_ROWS);
  }

  /** The dot products of up to BLOCK_ROWS rows with the query, before scale and unit. */
  dots(rows: Uint32Array): Int32Array {
    const addresses = new Uint32Array(this.#kernel.memory.buffer, this.#listAt, BLOCK_ROWS);
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as number;
      addresses[index] = this.#block(Math.floor(row / BLOCK_ROWS)).rows + (row % BLOCK_ROWS) * this.#width;
    }
    const out = this.#listAt + 4 * BLOCK_ROWS;
    this.#kernel.dots(this.#listAt, rows.length, this.#width, 0, out);
    return new Int32Array(this.#kernel.memory.buffer, out, rows.length);
  }

  /** For four dimensions at a time, what each combination of their signs adds up to. */
  #setTables(query: Float32Array): SketchQuery {
    const tables = new Uint8Array(this.#kernel.memory.buffer, this.#tablesAt, 2 * this.#steps * 16);
    const part = (table: number, bit: number) => query[4 * table + bit] ?? 0;
    const reach = (table: number) => [0, 1, 2, 3].reduce((sum, bit) => sum + Math.abs(part(table, bit)), 0);
    const reaches = Array.from({ length: 2 * this.#steps }, (_, table) => reach(table));
    const entries = Math.min(MAX_ENTRY, Math.floor(MAX_SUM / reaches.length));
    const step = (2 * Math.max(...reaches)) / entries || 1;
    for (const [table, lowest] of reaches.entries()) {
      for (let signs = 0; signs < 16; signs++) {
        let sum = lowest;
        for (let bit = 0; bit < 4; bit++) sum += signs & (1 << bit) ? part(table, bit) : -part(table, bit);
        tables[table * 16 + signs] = Math.round(sum / step);
      }
    }
    return { step, offset: reaches.reduce((sum, each) => sum + each, 0) };
  }

  get #tablesAt(): number {
    return this.#width * 2;
  }

  get #listAt(): number {
    return this.#tablesAt + this.#steps * 32;
  }

  #block(index: number): { rows: number; sketches: number; sums: number } {
    const rows = this.#listAt + 8 * BLOCK_ROWS + index * this.#blockBytes;
    const sketches = rows + BLOCK_ROWS * this.#width;
    return { rows, sketches, sums: sketches + BLOCK_ROWS * this.#steps };
  }

  get #blockBytes(): number {
    return BLOCK_ROWS * (this.#width + this.#steps + 2);
  }

  #reserve(blocks: number): void {
    const missing = this.#block(blocks).rows - this.#kernel.memory.buffer.byteLength;
    if (missing > 0) this.#kernel.memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
  }
}
