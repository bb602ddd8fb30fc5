import { rotator } from './rotation.ts';

/**
 * A document's vectors, turned (see rotation.ts) and made small: a byte per dimension, and a sketch of a bit per
 * dimension. A row belongs to each chunk that has a vector.
 */
export interface QuantizedVectors {
  /** Which chunk of the document. */
  readonly chunks: Uint32Array;
  /** What a step of `values` is worth. */
  readonly scales: Float32Array;
  /** What the dot product with the sketch's signs is to be multiplied by to estimate that with the vector. */
  readonly factors: Float32Array;
  /** How long the vector is: 1, if the caller keeps to it. */
  readonly lengths: Float32Array;
  readonly values: Int8Array;
  readonly sketches: Uint8Array;
}

export const sketchBytes = (dimensions: number) => Math.ceil(dimensions / 8);

const rowBytes = (dimensions: number) => 16 + dimensions + sketchBytes(dimensions);

export function encodeCodes(dimensions: number, vectors: readonly (Float32Array | undefined)[]): Uint8Array {
  const rotate = rotator(dimensions);
  const chunks = [...vectors.keys()].filter((chunk) => vectors[chunk] !== undefined);
  const bytes = new Uint8Array(chunks.length * rowBytes(dimensions));
  const codes = view(bytes, dimensions);
  for (const [row, chunk] of chunks.entries()) {
    const vector = rotate(vectors[chunk] as Float32Array);
    codes.chunks[row] = chunk;
    codes.lengths[row] = lengthOf(vector);
    codes.scales[row] = quantise(vector, codes.values.subarray(row * dimensions, (row + 1) * dimensions));
    const size = sketchBytes(dimensions);
    codes.factors[row] = sketch(vector, codes.sketches.subarray(row * size, (row + 1) * size));
  }
  return bytes;
}

export function decodeCodes(bytes: Uint8Array, dimensions: number): QuantizedVectors {
  // The engine's buffers begin anywhere; numbers of four bytes must not.
  return view(bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes), dimensions);
}

export const lengthOf = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

/** Writes the vector as whole numbers up to ±127 and returns what one of them is worth. */
function quantise(vector: Float32Array, into: Int8Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  const scale = largest / 127;
  for (let index = 0; index < vector.length; index++) into[index] = Math.round((vector[index] as number) / scale);
  return scale;
}

/** Writes the signs, a set bit for plus, and returns the factor that makes their dot product an estimate. */
function sketch(vector: Float32Array, into: Uint8Array): number {
  let squares = 0;
  let magnitudes = 0;
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index] as number;
    squares += value * value;
    magnitudes += Math.abs(value);
    if (value > 0) into[index >> 3] = (into[index >> 3] as number) | (1 << (index & 7));
  }
  return magnitudes === 0 ? 0 : squares / magnitudes;
}

function view(bytes: Uint8Array, dimensions: number): QuantizedVectors {
  const rows = bytes.byteLength / rowBytes(dimensions);
  const { buffer, byteOffset } = bytes;
  const values = byteOffset + 16 * rows;
  return {
    chunks: new Uint32Array(buffer, byteOffset, rows),
    scales: new Float32Array(buffer, byteOffset + 4 * rows, rows),
    factors: new Float32Array(buffer, byteOffset + 8 * rows, rows),
    lengths: new Float32Array(buffer, byteOffset + 12 * rows, rows),
    values: new Int8Array(buffer, values, rows * dimensions),
    sketches: new Uint8Array(buffer, values + rows * dimensions, rows * sketchBytes(dimensions)),
  };
}
