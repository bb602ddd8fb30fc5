import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobInfo, BlobSource, BlobStore, ByteRange, PutBlobOptions, StoredBlob } from '@atoll-mcp/core/storage';
import { closedStore } from '@atoll-mcp/core/storage';
import { blobNotFound, checkKey, keyFor, resolveRange } from '../../rules/blob-keys.ts';
import { compareText } from '../../rules/matching.ts';

interface Held {
  readonly bytes: Uint8Array;
  readonly info: BlobInfo;
}

/** Blobs that live as long as the process. */
export class MemoryBlobs implements BlobStore {
  readonly #blobs = new Map<string, Held>();
  #closed = false;

  async put(source: BlobSource, options?: PutBlobOptions): Promise<StoredBlob> {
    const bytes = source instanceof Uint8Array ? new Uint8Array(source) : await collect(source);
    if (this.#closed) throw closedStore('blob store');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = keyFor(sha256, options);
    this.#blobs.set(key, { bytes, info: { key, sizeBytes: bytes.length, modifiedMs: Date.now() } });
    return { key, sizeBytes: bytes.length, sha256 };
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const { bytes, info } = this.#held(key);
    const { start, length } = resolveRange(info, range);
    return Readable.from(length === 0 ? [] : [bytes.slice(start, start + length)], { objectMode: false });
  }

  async readRange(key: string, start: number, length: number): Promise<Uint8Array> {
    const { bytes, info } = this.#held(key);
    resolveRange(info, { start, end: start + length });
    return bytes.slice(start, start + length);
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    checkKey(key);
    if (this.#closed) throw closedStore('blob store');
    return this.#blobs.get(key)?.info;
  }

  async delete(key: string): Promise<boolean> {
    checkKey(key);
    if (this.#closed) throw closedStore('blob store');
    return this.#blobs.delete(key);
  }

  async *list(prefix = ''): AsyncIterable<BlobInfo> {
    const infos = [...this.#blobs.values()].map(({ info }) => info).filter(({ key }) => key.startsWith(prefix));
    yield* infos.sort((a, b) => compareText(a.key, b.key));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #held(key: string): Held {
    checkKey(key);
    if (this.#closed) throw closedStore('blob store');
    const held = this.#blobs.get(key);
    if (held === undefined) throw blobNotFound(key);
    return held;
  }
}

async function collect(source: Exclude<BlobSource, Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
