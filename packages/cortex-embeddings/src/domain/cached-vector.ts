import { createHash } from 'node:crypto';
import type { EmbeddedText } from './embedded-text.ts';

/** A vector with the time it was computed. */
export interface CachedVector extends EmbeddedText {
  readonly generatedAtMs: number;
}

/** Everything that can change the vector is in the key, so an entry never has to be dropped for being wrong. */
export function cacheKey(identity: string, normalize: boolean, text: string): string {
  return createHash('sha256')
    .update(`${identity}\n${normalize ? 'unit' : 'pooled'}\n${text}`)
    .digest('base64url');
}

const HEADER_BYTES = 16;
const UNKNOWN_TOKENS = 0xffffffff;

export function packVector({ vector, tokens, truncated, generatedAtMs }: CachedVector): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + vector.byteLength);
  const header = new DataView(bytes.buffer);
  header.setFloat64(0, generatedAtMs, true);
  header.setUint32(8, tokens ?? UNKNOWN_TOKENS, true);
  header.setUint32(12, truncated ? 1 : 0, true);
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), HEADER_BYTES);
  return bytes;
}

/** The vector again, or nothing if these are not the bytes of one of this many dimensions. */
export function unpackVector(bytes: Uint8Array, dimensions: number): CachedVector | undefined {
  if (bytes.byteLength !== HEADER_BYTES + dimensions * 4) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const tokens = header.getUint32(8, true);
  const vector = new Float32Array(bytes.slice(HEADER_BYTES).buffer);
  if (!vector.every(Number.isFinite)) return undefined;
  return {
    generatedAtMs: header.getFloat64(0, true),
    tokens: tokens === UNKNOWN_TOKENS ? null : tokens,
    truncated: header.getUint32(12, true) === 1,
    vector,
  };
}
