import type { Logger } from '@atoll-mcp/core';
import type { Cache } from '@atoll-mcp/core/storage';
import { type CachedVector, cacheKey, packVector, unpackVector } from '../domain/cached-vector.ts';

interface VectorCacheOptions {
  /** How many vectors are kept in memory. */
  readonly size: number;
  /** What is asked next, and survives a restart. */
  readonly durable?: Cache | undefined;
  readonly log: Logger;
}

/** Vectors by their text: a few in memory, least recently used out first, and more on disk. */
export class VectorCache {
  readonly #recent = new Map<string, CachedVector>();
  readonly #options: VectorCacheOptions;
  readonly #writes = new Set<Promise<void>>();

  constructor(options: VectorCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#options.size;
  }

  /** In the order asked for; undefined where there is none. */
  async getMany(
    texts: readonly string[],
    model: { identity: string; dimensions: number },
    normalize: boolean,
  ): Promise<(CachedVector | undefined)[]> {
    const found = texts.map((text) => this.#recall(recentKey(model.identity, text, normalize)));
    const { durable } = this.#options;
    const missing = found.flatMap((entry, index) => (entry ? [] : [index]));
    if (!durable || missing.length === 0) return found;
    const keys = missing.map((index) => cacheKey(model.identity, normalize, texts[index]!));
    const stored = await durable.getMany(keys).catch((error: unknown) => {
      this.#options.log.warn('durable cache not readable', { error });
      return [];
    });
    for (const [place, bytes] of stored.entries()) {
      const index = missing[place]!;
      const entry = bytes && unpackVector(bytes, model.dimensions);
      if (!entry) continue;
      found[index] = entry;
      this.#remember(recentKey(model.identity, texts[index]!, normalize), entry);
    }
    return found;
  }

  /** Remembered at once; written to disk in the background. */
  setMany(
    entries: readonly (readonly [text: string, entry: CachedVector])[],
    identity: string,
    normalize: boolean,
  ): void {
    for (const [text, entry] of entries) this.#remember(recentKey(identity, text, normalize), entry);
    const { durable, log } = this.#options;
    if (!durable) return;
    const packed = entries.map(([text, entry]) => [cacheKey(identity, normalize, text), packVector(entry)] as const);
    const write = durable
      .setMany(packed)
      .catch((error: unknown) => log.warn('durable cache not writable', { error }))
      .finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** Waits for what is still being written. */
  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  #recall(key: string): CachedVector | undefined {
    const entry = this.#recent.get(key);
    if (!entry) return undefined;
    this.#recent.delete(key);
    this.#recent.set(key, entry);
    return entry;
  }

  #remember(key: string, entry: CachedVector): void {
    this.#recent.delete(key);
    this.#recent.set(key, entry);
    if (this.#recent.size <= this.#options.size) return;
    const [oldest] = this.#recent.keys();
    this.#recent.delete(oldest!);
  }
}

const recentKey = (identity: string, text: string, normalize: boolean) =>
  `${identity}\n${normalize ? 'unit' : 'pooled'}\n${text}`;
