import { halfToNumber } from '@atoll-mcp/formats/narrow-floats';
import { e5Small } from './e5-small.ts';

const { blockSize } = e5Small;
/** A scale of 16 bits, then the weights: byte n holds weight n in its low half and weight n + 16 in its high one, 8 for zero. */
const BLOCK_BYTES = 2 + blockSize / 2;

export interface Piece {
  readonly text: Buffer;
  readonly score: number;
}

/** A matrix in 4 bits, one row per output. */
export interface NibbleMatrix {
  readonly rows: number;
  readonly columns: number;
  /** Two weights a byte, the first of them in the low half. */
  readonly nibbles: Uint8Array<ArrayBuffer>;
  readonly scales: Float32Array<ArrayBuffer>;
}

/** The one file that holds the tokenizer and the weights of multilingual-e5-small. */
export class E5File {
  readonly pieces: readonly Piece[];
  readonly vocabulary: number;
  readonly positions: number;
  readonly #file: Buffer;
  readonly #tensors = new Map<string, { offset: number; count: number }>();
  #at = 0;

  constructor(file: Buffer) {
    this.#file = file;
    if (file.toString('latin1', 0, 4) !== 'E5S1') throw new Error('The file does not hold weights of multilingual-e5');
    this.#at = 8;
    const [width, layers, heads, innerWidth, vocabulary, positions] = this.#integers(7);
    const isKnown =
      width === e5Small.dimensions &&
      layers === e5Small.layers &&
      heads === e5Small.heads &&
      innerWidth === e5Small.innerWidth;
    if (!isKnown) throw new Error('The weights are of another size than multilingual-e5-small');
    this.vocabulary = vocabulary!;
    this.positions = positions!;
    this.#at += 8;
    this.pieces = this.#readPieces();
    this.#skipNormalisation();
    this.#readDirectory();
  }

  floats(name: string): Float32Array<ArrayBuffer> {
    const { offset, count } = this.#tensor(name);
    return new Float32Array(Uint8Array.from(this.#file.subarray(offset, offset + count * 4)).buffer);
  }

  matrix(name: string, columns: number): NibbleMatrix {
    const { offset, count } = this.#tensor(name);
    const blocks = count / blockSize;
    const half = blockSize / 2;
    const nibbles = new Uint8Array(blocks * half);
    const scales = new Float32Array(blocks);
    for (let block = 0; block < blocks; block++) {
      const from = offset + block * BLOCK_BYTES;
      scales[block] = halfToNumber(this.#file.readUInt16LE(from));
      for (let index = 0; index < half; index++) {
        const shift = index < half / 2 ? 0 : 4;
        const first = from + 2 + ((index * 2) % half);
        const low = (this.#file[first]! >> shift) & 15;
        const high = (this.#file[first + 1]! >> shift) & 15;
        nibbles[block * half + index] = low | (high << 4);
      }
    }
    return { rows: count / columns, columns, nibbles, scales };
  }

  #readPieces(): Piece[] {
    const [count = 0] = this.#integers(5);
    const bytes = Number(this.#file.readBigUInt64LE(this.#at));
    this.#at += 8;
    const offsets = this.#integers(count + 1);
    const scores = Array.from({ length: count }, (_, index) => this.#file.readFloatLE(this.#at + index * 4));
    this.#at += count * 4;
    const texts = this.#file.subarray(this.#at, this.#at + bytes);
    this.#at += bytes;
    return scores.map((score, index) => ({ text: texts.subarray(offsets[index], offsets[index + 1]), score }));
  }

  /** A table of single characters; the rules it was made of also compose several, and are known here. */
  #skipNormalisation(): void {
    const [, bytes = 0] = this.#integers(2);
    this.#at += bytes;
  }

  #readDirectory(): void {
    const [count = 0] = this.#integers(1);
    for (let index = 0; index < count; index++) {
      const length = this.#file.readUInt16LE(this.#at);
      const name = this.#file.toString('latin1', this.#at + 2, this.#at + 2 + length);
      this.#at += 2 + length + 1;
      const [values = 0] = this.#integers(1);
      this.#tensors.set(name, { offset: Number(this.#file.readBigUInt64LE(this.#at)), count: values });
      this.#at += 16;
    }
  }

  #tensor(name: string): { offset: number; count: number } {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`The file holds no tensor "${name}"`);
    return tensor;
  }

  #integers(count: number): number[] {
    const values = Array.from({ length: count }, (_, index) => this.#file.readInt32LE(this.#at + index * 4));
    this.#at += count * 4;
    return values;
  }
}
