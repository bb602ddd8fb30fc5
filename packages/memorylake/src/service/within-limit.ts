import type { BlobSource } from '@atoll-mcp/core/storage';
import { tooLarge } from '../errors.ts';

/** The same bytes, refused as soon as there are more than may be. */
export function withinLimit(source: BlobSource, mostBytes: number): BlobSource {
  if (!(source instanceof Uint8Array)) return counted(source, mostBytes);
  if (source.byteLength > mostBytes) throw tooLarge(mostBytes);
  return source;
}

async function* counted(source: Exclude<BlobSource, Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const part of source) {
    sizeBytes += part.byteLength;
    if (sizeBytes > mostBytes) throw tooLarge(mostBytes);
    yield part;
  }
}
