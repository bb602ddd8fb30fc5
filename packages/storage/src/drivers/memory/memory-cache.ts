import type { Cache, CacheDefinition, CacheStats } from '@atoll-mcp/core/storage';
import { closedStore } from '@atoll-mcp/core/storage';

/** The least recently used entries go first; a Map remembers the order. */
export class MemoryCache implements Cache {
  readonly #entries = new Map<string, Uint8Array>();
  readonly #maxBytes: number;
  #sizeBytes = 0;
  #hits = 0;
  #misses = 0;
  #closed = false;

  constructor({ maxBytes }: Pick<CacheDefinition, 'maxBytes'>) {
    this.#maxBytes = maxBytes;
  }

  async getMany(keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    this.#refuseClosed();
    return keys.map((key) => {
      const value = this.#entries.get(key);
      if (value === undefined) {
        this.#misses++;
        return undefined;
      }
      this.#hits++;
      this.#entries.delete(key);
      this.#entries.set(key, value);
      return new Uint8Array(value);
    });
  }

  async setMany(entries: readonly (readonly [key: string, value: Uint8Array])[]): Promise<void> {
    this.#refuseClosed();
    for (const [key, value] of entries) {
      this.#drop(key);
      if (entrySize(key, value) > this.#maxBytes) continue;
      this.#entries.set(key, new Uint8Array(value));
      this.#sizeBytes += entrySize(key, value);
    }
    for (const key of this.#entries.keys()) {
      if (this.#sizeBytes <= this.#maxBytes) break;
      this.#drop(key);
    }
  }

  async stats(): Promise<CacheStats> {
    this.#refuseClosed();
    const { size } = this.#entries;
    return {
      entries: size,
      sizeBytes: this.#sizeBytes,
      maxBytes: this.#maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  async clear(): Promise<void> {
    this.#refuseClosed();
    this.#entries.clear();
    this.#sizeBytes = 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #drop(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#sizeBytes -= entrySize(key, value);
  }

  #refuseClosed(): void {
    if (this.#closed) throw closedStore('cache');
  }
}

/** What an entry counts against the limit: its value and its key in UTF-8. */
export const entrySize = (key: string, value: Uint8Array) => Buffer.byteLength(key) + value.byteLength;
