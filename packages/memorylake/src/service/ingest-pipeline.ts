import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Logger, Semaphore } from '@atoll-mcp/core';
import type { FileReader, LocalBlobStore, ReadChunk, Summariser } from '../backends/interface.ts';
import { organisedAttributes } from '../domain/organise/memory-filter.ts';
import { type Catalog, LEASE_MS } from './catalog.ts';
import { factsOf, indexedChunks, noFacts, type ReadFile, readFile, tablesOf } from './file-parts.ts';
import type { LakeIndex } from './lake-index.ts';
import type { MemoryRecord } from './memory-record.ts';
import { isGone } from './owner.ts';
import { ReadSlots } from './read-slots.ts';
import { summaryOf } from './summary-of.ts';
import { type FileVectors, type LakeModels, noVectors, vectorsOf } from './vectors/file-vectors.ts';
import { LeaseLost, whileLeased } from './while-leased.ts';
import { withTimeout } from './with-timeout.ts';

export interface IngestProgress {
  /** From `searchable` on, the memory is found by keywords; vectors follow. */
  readonly step: 'reading' | 'recognising' | 'searchable' | 'embedding' | 'storing';
  readonly chunks: number;
  readonly embedded: number;
  /** Pages done and in total while text is recognised. */
  readonly recognised?: { readonly done: number; readonly pages: number };
}

export type OnProgress = (progress: IngestProgress) => void;

const EMBEDDED_AT_ONCE = 2;
/** With more chunks in memory that wait for vectors, reading pauses. */
const MAX_WAITING_CHUNKS = 20_000;
/** How long the vectors of a file wait while other files are read. */
const WORDS_FIRST_MS = 60_000;
/** The vectors of so few chunks take about a second. */
const FEW_CHUNKS = 32;
/** A file that crashed the process twice is not retried automatically. */
const MAX_BEGUN = 2;
/** How often to check on a file that another process reads. */
const POLL_MS = 100;

/** Turns stored bytes into searchable memories, each completely or not at all. */
export class IngestPipeline {
  readonly #running = new Map<string, Promise<MemoryRecord | undefined>>();
  readonly #reading = new ReadSlots();
  readonly #embedding = new Semaphore(EMBEDDED_AT_ONCE);
  #waitingChunks = 0;
  readonly #stop = new AbortController();
  readonly #options: IngestPipelineOptions;

  constructor(options: IngestPipelineOptions) {
    this.#options = options;
    // Every file in progress adds a listener.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Works on a memory until it is ready or failed; a second call joins the first. */
  process(id: string, onProgress: OnProgress = () => {}): Promise<MemoryRecord | undefined> {
    const known = this.#running.get(id);
    if (known) return known;
    const work = this.#work(id, onProgress)
      .catch((error) => {
        if (!this.#stop.signal.aborted) throw error;
        return this.#options.catalog.memories.get(id);
      })
      .finally(() => this.#running.delete(id));
    this.#running.set(id, work);
    return work;
  }

  /** Takes over work of processes that ended. */
  async resume(): Promise<number> {
    const ids = await this.#options.catalog.abandoned(isGone);
    for (const id of ids) {
      this.process(id).catch((error) => this.#options.log.error('resuming a file failed', { id, error }));
    }
    return ids.length;
  }

  /** Waits for the vectors of a few chunks in progress; does not wait for many. */
  async waitForVectors(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#waitingChunks === 0 || this.#waitingChunks > FEW_CHUNKS) return;
    await withTimeout(Promise.allSettled(this.#running.values()), timeoutMs, signal);
  }

  async close(): Promise<void> {
    const { catalog, owner } = this.#options;
    this.#stop.abort(new Error('the lake is closing'));
    const ids = [...this.#running.keys()];
    await Promise.allSettled(this.#running.values());
    for (const id of ids) await catalog.release(id, owner);
  }

  get #makesVectors(): boolean {
    return this.#options.embedder !== undefined || this.#options.multilingual !== undefined;
  }

  async #work(id: string, onProgress: OnProgress): Promise<MemoryRecord | undefined> {
    // Newer bytes may arrive while older ones are read; the loop ends when nothing is left to do.
    for (;;) {
      const next = await this.#options.catalog.memories.get(id);
      if (!next?.pending) return next;
      const { sizeBytes } = next.pending;
      const step = await this.#reading.run(sizeBytes, () => this.#readNext(id, onProgress), this.#stop.signal);
      if (step) {
        await step.vectors;
        continue;
      }
      const memory = await this.#options.catalog.memories.get(id);
      if (!memory?.pending || memory.status !== 'processing') return memory;
      // Another process is reading it: wait for its result, or until its lease expires.
      await pause(POLL_MS, undefined, { signal: this.#stop.signal });
    }
  }

  /** Reads a pending file and makes it searchable; returns a promise for its vectors. */
  async #readNext(id: string, onProgress: OnProgress): Promise<{ vectors: Promise<void> } | undefined> {
    const { catalog, owner } = this.#options;
    const memory = await catalog.claim(id, owner, isGone);
    if (!memory?.pending) return undefined;
    if ((memory.pending.begun ?? 0) > MAX_BEGUN) {
      this.#options.log.warn('file not retried: the server crashed twice while reading it', { id });
      await this.#fail(memory, 'The server crashed twice while reading it. Add it again to retry', memory.type);
      return { vectors: Promise.resolve() };
    }
    let file: ReadFile | undefined;
    await this.#guard(memory, async (signal) => {
      file = await this.#read(memory, onProgress, signal);
    });
    if (!file) return { vectors: Promise.resolve() };
    const vectors = this.#embedLater(memory, file, onProgress);
    onProgress({ step: 'searchable', chunks: file.chunks.length, embedded: 0 });
    // Chunks wait in memory: with too many, wait for these vectors before reading the next file.
    if (this.#waitingChunks > MAX_WAITING_CHUNKS) await vectors;
    return { vectors };
  }

  async #embedLater(memory: MemoryRecord, file: ReadFile, onProgress: OnProgress): Promise<void> {
    this.#waitingChunks += file.chunks.length;
    try {
      if (this.#waitingChunks <= MAX_WAITING_CHUNKS)
        await withTimeout(this.#reading.idle(this.#stop.signal), WORDS_FIRST_MS, this.#stop.signal);
      await this.#embedding.run(
        () => this.#guard(memory, (signal) => this.#embed(memory, file, onProgress, signal)),
        this.#stop.signal,
      );
    } finally {
      this.#waitingChunks -= file.chunks.length;
    }
  }

  /** Runs a step while renewing its lease, and records a failure. */
  async #guard(memory: MemoryRecord, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await whileLeased({ renew: () => this.#renew(memory), everyMs: LEASE_MS / 3 }, this.#stop.signal, work);
    } catch (error) {
      if (this.#stop.signal.aborted) {
        await this.#options.catalog.postpone(memory.id, memory.pending!).catch(() => {});
        throw error;
      }
      if (error instanceof LeaseLost) return this.#tidy(memory, false);
      this.#options.log.error('ingest failed', { id: memory.id, error });
      await this.#fail(memory, 'An internal error occurred while storing it; see the log. Add it again', memory.type);
    }
  }

  /** Returns the file if vectors of it are to be computed. */
  async #read(memory: MemoryRecord, onProgress: OnProgress, signal: AbortSignal): Promise<ReadFile | undefined> {
    const { catalog, blobs, reader } = this.#options;
    const { blobKey, name } = memory.pending!;
    const chunks: ReadChunk[] = [];
    onProgress({ step: 'reading', chunks: 0, embedded: 0 });
    const outcome = await reader.read(
      { path: await blobs.localPath(blobKey), name, isNote: memory.kind === 'note' },
      {
        signal,
        onRecognised: (done, pages) =>
          onProgress({ step: 'recognising', chunks: 0, embedded: 0, recognised: { done, pages } }),
        onChunks: async (batch) => {
          chunks.push(...batch);
          onProgress({ step: 'reading', chunks: chunks.length, embedded: 0 });
        },
      },
    );
    if (!outcome.ok) {
      await this.#fail(memory, outcome.reason, outcome.type);
      return undefined;
    }
    const file = readFile(name, outcome, chunks);
    if (!this.#makesVectors) {
      await this.#finish(memory, file, noVectors, onProgress, signal);
      return undefined;
    }
    // This process may have been suspended and replaced; the result of the other one is newer.
    if (!(await this.#renew(memory))) throw new LeaseLost();
    await this.#store(memory, file, noVectors);
    const result = { ...factsOf(file), ...noVectors.of, summary: outcome.summary };
    if (!(await catalog.publish(memory.id, memory.pending!, result, ...tablesOf(file)))) throw new LeaseLost();
    if (memory.blobKey !== blobKey) await this.releaseBlob(memory.blobKey);
    return file;
  }

  async #embed(memory: MemoryRecord, file: ReadFile, onProgress: OnProgress, signal: AbortSignal) {
    if (!(await this.#renew(memory))) throw new LeaseLost();
    const { embedder, multilingual, index, log } = this.#options;
    const chunks = file.chunks.length;
    const models = { embedder: (await index.takesVectors()) ? embedder : undefined, multilingual };
    const onDone = (embedded: number) => onProgress({ step: 'embedding', chunks, embedded });
    await this.#finish(memory, file, await vectorsOf(file, models, { log, signal, onDone }), onProgress, signal);
  }

  async #finish(
    memory: MemoryRecord,
    file: ReadFile,
    made: FileVectors,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const chunks = file.chunks.length;
    onProgress({ step: 'storing', chunks, embedded: made === noVectors ? 0 : chunks });
    if (!(await this.#renew(memory))) throw new LeaseLost();
    await this.#store(memory, file, made);
    const summary = await summaryOf(file, this.#options, signal);
    const result = { ...factsOf(file), ...made.of, summary };
    const isOurs = await this.#options.catalog.finish(memory.id, memory.pending!, result, ...tablesOf(file));
    await this.#tidy(memory, isOurs);
  }

  async #store({ id, ...memory }: MemoryRecord, file: ReadFile, { vectors, passages, of }: FileVectors) {
    const { catalog, index } = this.#options;
    const { type, english } = factsOf(file);
    // Its collection and tags may have changed while the file was read.
    const attributes = async () => {
      const organised = organisedAttributes((await catalog.memories.get(id)) ?? memory);
      return { type, ...of, english, ...organised };
    };
    const before = await attributes();
    await index.put(id, before, indexedChunks(file, vectors));
    if (passages) await index.languages.put(id, before, passages);
    else await index.languages.remove(id);
    const after = await attributes();
    if (!isDeepStrictEqual(after, before)) await index.updateAttributes(id, after);
  }

  async #fail(memory: MemoryRecord, reason: string, type: MemoryRecord['type']): Promise<void> {
    if (!(await this.#renew(memory))) return this.#tidy(memory, false);
    await this.#options.index.remove(memory.id);
    const isOurs = await this.#options.catalog.finish(
      memory.id,
      memory.pending!,
      {
        status: 'failed',
        reason,
        type,
        ...noFacts,
      },
      [],
    );
    await this.#tidy(memory, isOurs);
  }

  /** Renews the lease; false if it was lost. */
  #renew(memory: MemoryRecord): Promise<boolean> {
    return this.#options.catalog.renew(memory.id, memory.pending!);
  }

  /** Deletes bytes that a newer version replaced, and index entries of a memory that was removed meanwhile. */
  async #tidy(memory: MemoryRecord, isOurs: boolean): Promise<void> {
    const { catalog, index } = this.#options;
    if (!isOurs && !(await catalog.memories.get(memory.id))) await index.remove(memory.id);
    if (!isOurs || memory.blobKey !== memory.pending!.blobKey) await this.releaseBlob(memory.blobKey);
    if (!isOurs) await this.releaseBlob(memory.pending!.blobKey);
  }

  releaseBlob(key: string): Promise<void> {
    return this.#options.catalog.releaseBlob(key, () => this.#options.blobs.delete(key));
  }
}

interface IngestPipelineOptions extends LakeModels {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly blobs: LocalBlobStore;
  readonly reader: FileReader;
  readonly summariser: Summariser | undefined;
  readonly owner: string;
  readonly log: Logger;
}
