import type { Storage } from '@atoll-mcp/core/storage';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { type VersionRecord, versionCollection } from '../memory-record.ts';

const MAX_VERSIONS = 10_000;

/** Stores the latest former versions of each memory. */
export class VersionStore {
  readonly #storage: Storage;
  readonly #ingest: IngestPipeline;
  readonly #keep: number;

  constructor(options: { storage: Storage; ingest: IngestPipeline; keep: number }) {
    this.#storage = options.storage;
    this.#ingest = options.ingest;
    this.#keep = options.keep;
  }

  /** Kept versions, newest first; versions not trimmed yet are left out. */
  async list(memoryId: string): Promise<VersionRecord[]> {
    return (await this.#stored(memoryId)).slice(0, this.#keep);
  }

  get(memoryId: string, version: number): Promise<VersionRecord | undefined> {
    return this.#versions.get(`${memoryId}@${version}`);
  }

  /** Deletes versions beyond the limit. */
  async trim(memoryId: string): Promise<void> {
    await this.#remove((await this.#stored(memoryId)).slice(this.#keep));
  }

  async forget(memoryId: string): Promise<void> {
    await this.#remove(await this.#stored(memoryId));
  }

  async #stored(memoryId: string): Promise<VersionRecord[]> {
    const order = [{ field: 'version', direction: 'desc' }] as const;
    return (await this.#versions.list({ where: { memoryId }, order, limit: MAX_VERSIONS })).items;
  }

  async #remove(versions: readonly VersionRecord[]): Promise<void> {
    for (const { id, blobKey } of versions) {
      await this.#versions.delete(id);
      await this.#ingest.releaseBlob(blobKey);
    }
  }

  get #versions() {
    return this.#storage.records.collection(versionCollection);
  }
}
