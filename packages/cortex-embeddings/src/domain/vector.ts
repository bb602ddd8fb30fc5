export const encodings = ['float', 'base64', 'int8'] as const;
export type Encoding = (typeof encodings)[number];

/** A vector as it travels: numbers, or little-endian float32 bytes as base64. */
export type EncodedVector = number[] | string;

/** A copy of the first `dimensions` values, scaled to length 1 again if the whole vector was. */
export function cutVector(vector: Float32Array, dimensions: number, normalize: boolean): Float32Array {
  const cut = vector.slice(0, dimensions);
  return normalize && cut.length < vector.length ? unitVector(cut) : cut;
}

/** The vector scaled to length 1; one of zeros stays as it is. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((value) => value / length);
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

/** The vector in its encoding; int8 comes with the factor that turns its numbers back into floats. */
export function encodeVector(vector: Float32Array, encoding: Encoding): { values: EncodedVector; scale?: number } {
  if (encoding === 'base64') return { values: littleEndianBytes(vector).toString('base64') };
  if (encoding === 'float') return { values: Array.from(vector, shortest) };
  const scale = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127 || 1;
  // The sum keeps -0 out of the answer.
  return { values: Array.from(vector, (value) => Math.round(value / scale) + 0), scale };
}

/** Two vectors point the same way up to the rounding of int8. */
const SAME_COSINE = 0.9999;

/** Whether a stored vector, perhaps cut or not of length 1, is the expected one; no cosine where the lengths do not fit. */
export function compareVectors(stored: Float32Array, expected: Float32Array): { same: boolean; cosine: number | null } {
  if (stored.length === 0 || stored.length > expected.length) return { same: false, cosine: null };
  const cut = expected.subarray(0, stored.length);
  const lengths = Math.sqrt(dotProduct(stored, stored) * dotProduct(cut, cut));
  const cosine = lengths === 0 ? 0 : Math.max(-1, Math.min(1, dotProduct(stored, cut) / lengths));
  return { same: cosine >= SAME_COSINE, cosine };
}

/** A vector out of its bytes in base64, or nothing if they are not whole float32 values. */
export function decodeVector(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (
    bytes.length === 0 ||
    bytes.length % 4 !== 0 ||
    bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')
  ) {
    return undefined;
  }
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

/** The indexes of the scores, best first; equal ones stay in their order. */
export function rankingOf(scores: readonly number[]): number[] {
  return scores.map((_, index) => index).sort((a, b) => scores[b]! - scores[a]! || a - b);
}

// Nine digits are enough to give the same float32 back, and half of what a double would be printed with.
const shortest = (value: number) => Number(value.toPrecision(9));

function littleEndianBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (let index = 0; index < vector.length; index++) bytes.writeFloatLE(vector[index]!, index * 4);
  return bytes;
}
