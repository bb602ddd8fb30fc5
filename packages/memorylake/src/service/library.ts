import type { Logger } from '@atoll-mcp/core';
import type { BlobSource } from '@atoll-mcp/core/storage';
import type { FileReader, LocalBlobStore, LocalFiles } from '../backends/interface.ts';
import { typeByName } from '../domain/document.ts';
import { collectionOf, DEFAULT_COLLECTION } from '../domain/organise/memory-filter.ts';
import { importRefused } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import { type GivenContent, givenBytes, safeName } from './given-file.ts';
import type { IngestPipeline, OnProgress } from './ingest-pipeline.ts';
import type { LakeIndex } from './lake-index.ts';
import type { Lineage, MemoryRecord } from './memory-record.ts';
import { PartsOfFiles } from './parts-of-files.ts';
import type { VersionStore } from './versions/version-store.ts';
import { withTimeout } from './with-timeout.ts';
import { withinLimit } from './within-limit.ts';

export interface AddedFile {
  readonly name: string;
  /** Identifies the file when it is added again: a path, or the name of an upload. */
  readonly source: string;
  /** Its bytes; read a second time if a concurrent removal deleted them. */
  readonly bytes: () => BlobSource;
  /** The default collection unless given. */
  readonly collection?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** What it was computed from, for files that code made. */
  readonly lineage?: Lineage | undefined;
  /** The memory that it is attached to. */
  readonly partOf?: string | undefined;
}

export interface AddedMemory {
  readonly memory: MemoryRecord;
  /** The lake held these bytes already. */
  readonly isDuplicate: boolean;
}

/** A memory that is being added. */
export interface AddingSteps extends AddedMemory {
  /** Resolves when it is found by keywords, or has failed. */
  readonly searchable: Promise<void>;
  /** Resolves when it is ready, with vectors and attachments, or has failed. */
  readonly settled: Promise<AddedMemory>;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Uploaded bytes; an upload under the same name is a new version of the file. */
export const uploadedFile = (
  name: string,
  bytes: Uint8Array,
  { collection, tags }: Pick<AddedFile, 'collection' | 'tags'> = {},
): AddedFile => ({
  name,
  // Files of the same name in two collections are two files.
  source: collectionOf({ collection }) === DEFAULT_COLLECTION ? `name:${name}` : `in:${collection}/name:${name}`,
  bytes: () => bytes,
  collection,
  tags,
});

/** For lakes that do not accept files by path. */
export const noFiles: LocalFiles = {
  resolveImport: async (path) => {
    throw importRefused(path, []);
  },
  read: (path) => {
    throw importRefused(path, []);
  },
};

/** Most clients time out after a minute. */
const CALL_TIMEOUT_MS = 45_000;
/** How long a caller also waits for vectors, unless it adds many files. */
const VECTORS_TIMEOUT_MS = 5_000;
const MANY_FILES = 5;
const RECENT_MS = 5_000;

/** Adds, renames and removes files. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #listeners = new Set<(memoryId: string) => void>();
  #recent: readonly number[] = [];
  readonly #waitingForVectors = new Set<AbortController>();
  readonly #parts: PartsOfFiles;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#parts = new PartsOfFiles({
      ...options,
      accept: (file) => this.#accept(file),
      settle: (id) => this.#settle(id),
    });
  }

  /** Adds a file and waits until it is ready, with vectors, or has failed. */
  async add(file: AddedFile, onProgress?: OnProgress): Promise<AddedMemory> {
    return (await this.addInSteps(file, onProgress)).settled;
  }

  /** Adds a file and waits until it is searchable, at most as long as clients usually wait; the rest continues in the background. */
  async addSoon(file: AddedFile, { signal, onProgress }: WaitOptions = {}): Promise<AddedMemory> {
    const { memory, isDuplicate, searchable, settled } = await this.addInSteps(file, onProgress);
    const isOneOfMany = this.#countRecent() > MANY_FILES;
    const done = await withTimeout(Promise.race([settled, searchable.then(() => undefined)]), CALL_TIMEOUT_MS, signal);
    if (!done && !isOneOfMany) await this.#waitForVectors(signal);
    return { memory: done?.memory ?? (await this.#options.catalog.memories.get(memory.id)) ?? memory, isDuplicate };
  }

  /** Adds a file; separate promises resolve when it is searchable and when all work on it is done. */
  async addInSteps(file: AddedFile, onProgress?: OnProgress): Promise<AddingSteps> {
    const { memory, isDuplicate } = await this.#accept(file);
    let markSearchable = () => {};
    const words = new Promise<void>((resolve) => {
      markSearchable = resolve;
    });
    const settled = this.#settle(memory.id, (progress) => {
      if (progress.step === 'searchable') markSearchable();
      onProgress?.(progress);
    }).then(async (record) => {
      if (record) await this.#parts.addAttachments(record);
      return { memory: record ?? memory, isDuplicate };
    });
    return { memory, isDuplicate, searchable: Promise.race([words, settled.then(noop, noop)]), settled };
  }

  /** Adds every file of a local archive as its own memory. */
  addArchive(path: string, name: string, organised: Pick<AddedFile, 'collection' | 'tags'>): Promise<AddedMemory[]> {
    return this.#parts.addArchive(path, name, organised);
  }

  async addGiven(given: GivenContent, options: WaitOptions = {}): Promise<AddedMemory> {
    const bytes = givenBytes(given);
    if (bytes) return this.addSoon(uploadedFile(given.name, bytes, given), options);
    // The path comes from a client, so it must be inside the import folders.
    const path = await this.#options.files.resolveImport(given.path!);
    return this.addSoon({ ...this.fileAt(path, given.name), collection: given.collection, tags: given.tags }, options);
  }

  /** Renames a memory and reads it again, because its name is indexed. */
  async rename(id: string, name: string): Promise<MemoryRecord | undefined> {
    const { catalog, owner } = this.#options;
    const reopen = () => catalog.reopen(id, owner, safeName(name));
    // Its vectors may still be in progress.
    if (!(await reopen())) {
      await this.#settle(id);
      if (!(await reopen())) return undefined;
    }
    return this.#settle(id);
  }

  /** A local file, by its absolute path. */
  fileAt(path: string, name: string): AddedFile {
    return { name, source: `path:${path}`, bytes: () => this.#options.files.read(path) };
  }

  async remove(ids: readonly string[]): Promise<{ deleted: string[]; notFound: string[] }> {
    const deleted: string[] = [];
    const notFound: string[] = [];
    for (const id of new Set(ids)) {
      const memory = await this.#options.catalog.remove(id);
      if (memory) {
        await this.#forget(memory);
        await this.remove(await this.#parts.forgetAttachments(memory));
      }
      (memory ? deleted : notFound).push(id);
    }
    return { deleted, notFound };
  }

  /** Removes a deleted file; its memory stays if it has another source. */
  removePath(path: string): Promise<string | undefined> {
    return this.removeSource(`path:${path}`);
  }

  async removeSource(source: string): Promise<string | undefined> {
    const id = await this.#options.catalog.forgetSource(source);
    if (id) await this.remove([id]);
    return id;
  }

  async isOnlySource(id: string, source: string): Promise<boolean> {
    const sources = await this.#options.catalog.sourcesOf(id);
    return sources.length === 1 && sources[0] === source;
  }

  async pathsUnder(folder: string): Promise<string[]> {
    return (await this.#options.catalog.sourcesUnder(`path:${folder}`)).map((source) => source.slice('path:'.length));
  }

  /** Reads every file again, with the current readers and model. */
  async reindex(onFile: (done: number, total: number, memory: MemoryRecord | undefined) => void): Promise<number> {
    const { catalog, index, owner } = this.#options;
    await index.fitEmbedder();
    const ids: string[] = [];
    for await (const { id } of catalog.memories.scan()) ids.push(id);
    let done = 0;
    for (const id of ids) {
      await catalog.reopen(id, owner);
      onFile(++done, ids.length, await this.#settle(id));
    }
    return ids.length;
  }

  /** How many files were added in the last seconds. With many, callers do not wait for vectors. */
  #countRecent(): number {
    const now = performance.now();
    this.#recent = [...this.#recent.filter((at) => now - at < RECENT_MS), now].slice(-MANY_FILES - 1);
    if (this.#recent.length > MANY_FILES) {
      for (const stop of this.#waitingForVectors) stop.abort();
      this.#waitingForVectors.clear();
    }
    return this.#recent.length;
  }

  async #waitForVectors(signal: AbortSignal | undefined): Promise<void> {
    const stop = new AbortController();
    this.#waitingForVectors.add(stop);
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    await this.#options.ingest.waitForVectors(VECTORS_TIMEOUT_MS, either);
    this.#waitingForVectors.delete(stop);
  }

  onChange(listener: (memoryId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stores and registers a file durably. */
  async #accept(file: AddedFile): Promise<AddedMemory> {
    const { blobs, catalog, owner, maxFileBytes } = this.#options;
    const put = () => blobs.put(withinLimit(file.bytes(), maxFileBytes));
    const blob = await put();
    const name = safeName(file.name);
    const registered = await catalog.register({ ...file, name, blob, type: typeByName(name), owner });
    // A concurrent removal may have deleted the bytes.
    if (!(await blobs.stat(blob.key))) await put();
    if (registered.orphan) await this.#forget(registered.orphan);
    return registered;
  }

  /** Reads the pending file of a memory and returns the updated record. */
  async #settle(id: string, onProgress: OnProgress = () => {}): Promise<MemoryRecord | undefined> {
    const memory = await this.#options.ingest.process(id, (progress) => {
      if (progress.step === 'searchable') this.#notify(id);
      onProgress(progress);
    });
    if (memory?.version !== undefined) await this.#options.versions.trim(id);
    this.#notify(id);
    return memory;
  }

  async #forget(memory: MemoryRecord): Promise<void> {
    const { index, ingest, versions } = this.#options;
    await index.remove(memory.id);
    await versions.forget(memory.id);
    await ingest.releaseBlob(memory.blobKey);
    if (memory.pending) await ingest.releaseBlob(memory.pending.blobKey);
    this.#notify(memory.id);
  }

  #notify(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

const noop = () => {};

interface LibraryOptions {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly ingest: IngestPipeline;
  readonly blobs: LocalBlobStore;
  readonly reader: FileReader;
  readonly files: LocalFiles;
  readonly maxFileBytes: number;
  readonly owner: string;
  readonly versions: VersionStore;
  readonly log: Logger;
}
