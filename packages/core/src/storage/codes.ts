/** A document's vectors in a byte per dimension: which chunk each belongs to, its scale, and its values. */
export interface Codes {
  readonly chunks: Uint32Array;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

export function encodeCodes(dimensions: number, vectors: readonly (Float32Array | undefined)[]): Uint8Array {
  const chunks = [...vectors.keys()].filter((chunk) => vectors[chunk] !== undefined);
  const bytes = new Uint8Array(chunks.length * (8 + dimensions));
  const codes = view(bytes, dimensions);
  chunks.forEach((chunk, row) => {
    codes.chunks[row] = chunk;
    codes.scales[row] = quantise(vectors[chunk] as Float32Array, codes.values, row * dimensions);
  });
  return bytes;
}

export function decodeCodes(bytes: Uint8Array, dimensions: number): Codes {
  // The engine's buffers begin anywhere; numbers of four bytes must not.
  return view(bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes), dimensions);
}

/** Writes the vector as whole numbers up to ±127 and returns what one of them is worth. */
function quantise(vector: Float32Array, into: Int8Array, offset: number): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  const scale = largest / 127;
  for (let index = 0; index < vector.length; index++)
    into[offset + index] = Math.round((vector[index] as number) / scale);
  return scale;
}

function view(bytes: Uint8Array, dimensions: number): Codes {
  const rows = bytes.byteLength / (8 + dimensions);
  return {
    chunks: new Uint32Array(bytes.buffer, bytes.byteOffset, rows),
    scales: new Float32Array(bytes.buffer, bytes.byteOffset + 4 * rows, rows),
    values: new Int8Array(bytes.buffer, bytes.byteOffset + 8 * rows, rows * dimensions),
  };
}
