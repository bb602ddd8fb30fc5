import { isObject, parseJson } from '@atoll-mcp/core';

const HEADER_LENGTH_BYTES = 4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * Vectors by key as bytes: the length of a header, the header, which is JSON with the keys and how many numbers each has, and the
 * numbers. As JSON, thousands of vectors would stop the program for half a second at its start.
 */
export function encodeVectors(vectors: ReadonlyMap<string, Float32Array>): Uint8Array {
  const lengths = Object.fromEntries([...vectors].map(([key, { length }]) => [key, length]));
  const header = Buffer.from(JSON.stringify({ lengths }));
  const numbers = [...vectors.values()].reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.alloc(HEADER_LENGTH_BYTES + header.length + numbers * FLOAT_BYTES);
  bytes.writeUInt32LE(header.length);
  header.copy(bytes, HEADER_LENGTH_BYTES);
  let at = HEADER_LENGTH_BYTES + header.length;
  for (const { buffer, byteOffset, byteLength } of vectors.values()) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** What `encodeVectors` wrote; nothing of a file that is not whole. */
export function decodeVectors(file: Uint8Array): Map<string, Float32Array> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const found = new Map<string, Float32Array>();
  if (bytes.length < HEADER_LENGTH_BYTES) return found;
  const start = HEADER_LENGTH_BYTES + bytes.readUInt32LE();
  if (start > bytes.length) return found;
  const header = parseJson(bytes.toString('utf8', HEADER_LENGTH_BYTES, start));
  if (!isObject(header) || !isObject(header.lengths)) return found;
  const lengths = Object.entries(header.lengths).filter((entry): entry is [string, number] => isLength(entry[1]));
  const total = lengths.reduce((sum, [, length]) => sum + length, 0);
  if (bytes.length !== start + total * FLOAT_BYTES) return found;
  // Views of numbers begin at multiples of their size.
  const numbers = new Float32Array(new Uint8Array(bytes.subarray(start)).buffer);
  let at = 0;
  for (const [key, length] of lengths) {
    const vector = numbers.subarray(at, at + length);
    at += length;
    if (hasFiniteSum(vector)) found.set(key, vector);
  }
  return found;
}

const isLength = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** A sum of doubles cannot overflow here, so it is finite if all are. */
function hasFiniteSum(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value;
  return Number.isFinite(sum);
}
