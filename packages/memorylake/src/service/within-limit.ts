import type { BlobSource } from '@atoll-mcp/core/storage';
import { tooLarge } from '../errors.ts';

/** Passes bytes through and fails as soon as there are too many. */
export function withinLimit(source: BlobSource, maxBytes: number): BlobSource {
  if (!(source instanceof Uint8Array)) return counted(source, maxBytes);
  if (source.byteLength > maxBytes) throw tooLarge(maxBytes);
  return source;
}

async function* counted(source: Exclude<BlobSource, Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const part of source) {
    sizeBytes += part.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    yield part;
  }
}
