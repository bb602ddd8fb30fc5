import type { Logger } from '@atoll-mcp/core';
import type { BlobSource } from '@atoll-mcp/core/storage';
import type { FileReader, LocalBlobStore, LocalFiles } from '../backends/interface.ts';
import { typeByName } from '../domain/document.ts';
import { collectionOf, DEFAULT_COLLECTION } from '../domain/organise/memory-filter.ts';
import { importRefused } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import { type GivenContent, givenBytes, safeName } from './given-file.ts';
import { inTime } from './in-time.ts';
import type { IngestPipeline, OnProgress } from './ingest-pipeline.ts';
import type { LakeIndex } from './lake-index.ts';
import type { Lineage, MemoryRecord } from './memory-record.ts';
import { PartsOfFiles } from './parts-of-files.ts';
import type { VersionStore } from './versions/version-store.ts';
import { withinLimit } from './within-limit.ts';

export interface AddedFile {
  readonly name: string;
  /** What it is the same file by, next time: a path, or the name it was uploaded under. */
  readonly source: string;
  /** Its bytes; called again in the rare case that they were lost on the way. */
  readonly bytes: () => BlobSource;
  /** The default one unless given. */
  readonly collection?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** What it was computed from, if it was. */
  readonly lineage?: Lineage | undefined;
  /** The memory that it is attached to. */
  readonly partOf?: string | undefined;
}

export interface AddedMemory {
  readonly memory: MemoryRecord;
  /** The lake held these bytes already. */
  readonly isDuplicate: boolean;
}

/** A memory on its way. */
export interface AddingSteps extends AddedMemory {
  /** Its words can be found, or nothing more will come. */
  readonly searchable: Promise<void>;
  /** It is ready, with its vectors and attachments, or failed. */
  readonly settled: Promise<AddedMemory>;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Bytes that came under a name: the same name means the same file, next time. */
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

/** Of a lake that takes no files by path. */
export const noFiles: LocalFiles = {
  resolveImport: async (path) => {
    throw importRefused(path, []);
  },
  read: (path) => {
    throw importRefused(path, []);
  },
};

/** Most clients give a call a minute. */
const CALL_TIMEOUT_MS = 45_000;
/** How long a caller waits for vectors too, unless it brings many files. */
const VECTORS_TIMEOUT_MS = 5_000;
const MANY_FILES = 5;
const RECENT_MS = 5_000;

/** What goes into the lake and out of it for good. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #listeners = new Set<(memoryId: string) => void>();
  #lately: readonly number[] = [];
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

  /** Adds a file and waits until it is ready, vectors and all, or has failed. */
  async add(file: AddedFile, onProgress?: OnProgress): Promise<AddedMemory> {
    return (await this.addInSteps(file, onProgress)).settled;
  }

  /** Adds a file and waits until its words can be found, but no longer than callers usually do; the rest goes on by itself. */
  async addSoon(file: AddedFile, { signal, onProgress }: WaitOptions = {}): Promise<AddedMemory> {
    const { memory, isDuplicate, searchable, settled } = await this.addInSteps(file, onProgress);
    const isOneOfMany = this.#countLately() > MANY_FILES;
    const done = await inTime(Promise.race([settled, searchable.then(() => undefined)]), CALL_TIMEOUT_MS, signal);
    if (!done && !isOneOfMany) await this.#vectorsUnlessMany(signal);
    return { memory: done?.memory ?? (await this.#options.catalog.memories.get(memory.id)) ?? memory, isDuplicate };
  }

  /** Adds a file, and says when its words can be found and when all is done. */
  async addInSteps(file: AddedFile, onProgress?: OnProgress): Promise<AddingSteps> {
    const { memory, isDuplicate } = await this.#accept(file);
    let wordsAreThere = () => {};
    const words = new Promise<void>((resolve) => {
      wordsAreThere = resolve;
    });
    const settled = this.#settle(memory.id, (progress) => {
      if (progress.step === 'searchable') wordsAreThere();
      onProgress?.(progress);
    }).then(async (record) => {
      if (record) await this.#parts.addAttachments(record);
      return { memory: record ?? memory, isDuplicate };
    });
    return { memory, isDuplicate, searchable: Promise.race([words, settled.then(noop, noop)]), settled };
  }

  /** Adds what an archive on this machine holds, each file as a memory of its own. */
  addArchive(path: string, name: string, organised: Pick<AddedFile, 'collection' | 'tags'>): Promise<AddedMemory[]> {
    return this.#parts.addArchive(path, name, organised);
  }

  async addGiven(given: GivenContent, options: WaitOptions = {}): Promise<AddedMemory> {
    const bytes = givenBytes(given);
    if (bytes) return this.addSoon(uploadedFile(given.name, bytes, given), options);
    // The path comes from a client: it must lie inside the folders open for imports.
    const path = await this.#options.files.resolveImport(given.path!);
    return this.addSoon({ ...this.fileAt(path, given.name), collection: given.collection, tags: given.tags }, options);
  }

  /** Gives a memory another name, and reads it again: it is found by its name too. */
  async rename(id: string, name: string): Promise<MemoryRecord | undefined> {
    const { catalog, owner } = this.#options;
    const reopen = () => catalog.reopen(id, owner, safeName(name));
    // Its vectors may still be under way.
    if (!(await reopen())) {
      await this.#settle(id);
      if (!(await reopen())) return undefined;
    }
    return this.#settle(id);
  }

  /** A file of this machine, by its absolute path. */
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

  /** A file is gone from where it was; its memory goes too, unless the same bytes are elsewhere. */
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

  /** Reads every file again, with today's readers and today's model. */
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

  /** How many files came in the last seconds, this one among them. With many, callers wait for words alone. */
  #countLately(): number {
    const now = performance.now();
    this.#lately = [...this.#lately.filter((at) => now - at < RECENT_MS), now].slice(-MANY_FILES - 1);
    if (this.#lately.length > MANY_FILES) {
      for (const stop of this.#waitingForVectors) stop.abort();
      this.#waitingForVectors.clear();
    }
    return this.#lately.length;
  }

  async #vectorsUnlessMany(signal: AbortSignal | undefined): Promise<void> {
    const stop = new AbortController();
    this.#waitingForVectors.add(stop);
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    await this.#options.ingest.vectorsSoon(VECTORS_TIMEOUT_MS, either);
    this.#waitingForVectors.delete(stop);
  }

  onChange(listener: (memoryId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes note of a file, durably. */
  async #accept(file: AddedFile): Promise<AddedMemory> {
    const { blobs, catalog, owner, maxFileBytes } = this.#options;
    const put = () => blobs.put(withinLimit(file.bytes(), maxFileBytes));
    const blob = await put();
    const name = safeName(file.name);
    const registered = await catalog.register({ ...file, name, blob, type: typeByName(name), owner });
    // A removal at the same moment may have taken the bytes with it.
    if (!(await blobs.stat(blob.key))) await put();
    if (registered.orphan) await this.#forget(registered.orphan);
    return registered;
  }

  /** Reads what is pending of a memory; gives its record as it then is. */
  async #settle(id: string, onProgress: OnProgress = () => {}): Promise<MemoryRecord | undefined> {
    const memory = await this.#options.ingest.process(id, (progress) => {
      if (progress.step === 'searchable') this.#tell(id);
      onProgress(progress);
    });
    if (memory?.version !== undefined) await this.#options.versions.trim(id);
    this.#tell(id);
    return memory;
  }

  async #forget(memory: MemoryRecord): Promise<void> {
    const { index, ingest, versions } = this.#options;
    await index.remove(memory.id);
    await versions.forget(memory.id);
    await ingest.releaseBlob(memory.blobKey);
    if (memory.pending) await ingest.releaseBlob(memory.pending.blobKey);
    this.#tell(memory.id);
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

const noop = () => {};

export interface LibraryOptions {
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
