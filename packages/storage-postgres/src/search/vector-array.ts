const HEADER_BYTES = 20;

/**
 * An array of pgvector's vectors in PostgreSQL's binary form, as the value of one parameter. As text, each number would
 * be written here and read there.
 */
export function vectorArray(vectors: readonly (Float32Array | undefined)[], typeOid: number): Buffer {
  const bytes = vectors.reduce((sum, vector) => sum + 4 + (vector ? 4 + 4 * vector.length : 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  let at = 0;
  const int = (value: number) => {
    at = array.writeInt32BE(value, at);
  };
  // One dimension, with nulls if any, of that type, this many, counted from 1.
  for (const value of [1, Number(vectors.includes(undefined)), typeOid, vectors.length, 1]) int(value);
  for (const vector of vectors) {
    int(vector ? 4 + 4 * vector.length : -1);
    if (!vector) continue;
    at = array.writeInt16BE(vector.length, at);
    at = array.writeInt16BE(0, at);
    for (const value of vector) at = array.writeFloatBE(value, at);
  }
  return array;
}
