import type { CollectionDefinition, Storage, StoredRecord } from '@atoll-mcp/core/storage';
import { mediaType } from '../../domain/results/media-type.ts';
import type { StoredFile } from '../memory-record.ts';

/** A file that code made. */
export interface ResultFile extends StoredRecord, StoredFile {
  readonly mediaType: string;
  readonly createdMs: number;
  /** The limit of the caller who made it. */
  readonly collections?: readonly string[];
}

const resultCollection: CollectionDefinition<ResultFile> = {
  name: 'result_files',
  version: 1,
  fields: { createdMs: 'integer' },
  indexes: [['createdMs']],
};

const TTL_MS = 24 * 3_600_000;
const MAX_FILES = 500;
const MAX_BYTES = 1 << 30;

/** Stores files that code made for a day; the oldest are deleted when there are too many. */
export class ResultFiles {
  readonly #storage: Storage;
  readonly #now: () => Date;
  readonly #newId: () => string;

  constructor(options: { storage: Storage; now: () => Date; newId: () => string }) {
    this.#storage = options.storage;
    this.#now = options.now;
    this.#newId = options.newId;
  }

  async put(
    files: readonly { readonly name: string; readonly data: Uint8Array }[],
    collections?: readonly string[],
  ): Promise<ResultFile[]> {
    const stored: ResultFile[] = [];
    for (const { name, data } of files) {
      const id = `result-${this.#newId()}`;
      // Its own key, so that deleting a memory with the same bytes does not delete it.
      const blob = await this.#storage.blobs.put(data, { key: (sha256) => `results/${id}/${sha256}` });
      const createdMs = this.#now().getTime();
      const facts = { name, mediaType: mediaType(name, data), sizeBytes: data.length, blobKey: blob.key, createdMs };
      stored.push({ id, ...facts, ...(collections && { collections }) });
    }
    if (stored.length > 0) await this.#results.putMany(stored);
    await this.#trim();
    return stored;
  }

  /** Callers with a limit can only read files made within it. */
  async get(id: string, limit?: readonly string[]): Promise<ResultFile | undefined> {
    const file = await this.#results.get(id);
    if (limit && !file?.collections?.every((name) => limit.includes(name))) return undefined;
    return file && file.createdMs >= this.#oldestMs() ? file : undefined;
  }

  bytes({ blobKey }: ResultFile) {
    return this.#storage.blobs.get(blobKey);
  }

  async #trim(): Promise<void> {
    const order = [{ field: 'createdMs', direction: 'desc' }] as const;
    const { items } = await this.#results.list({ order, limit: 10_000 });
    let bytes = 0;
    for (const [at, file] of items.entries()) {
      bytes += file.sizeBytes;
      if (at < MAX_FILES && bytes <= MAX_BYTES && file.createdMs >= this.#oldestMs()) continue;
      await this.#results.delete(file.id);
      await this.#storage.blobs.delete(file.blobKey);
    }
  }

  get #results() {
    return this.#storage.records.collection(resultCollection);
  }

  #oldestMs = (): number => this.#now().getTime() - TTL_MS;
}
