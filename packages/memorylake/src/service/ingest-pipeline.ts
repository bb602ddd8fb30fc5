import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Logger, Semaphore } from '@atoll-mcp/core';
import type { FileReader, LocalBlobStore, ReadChunk, Summariser } from '../backends/interface.ts';
import { organisedAttributes } from '../domain/organise/memory-filter.ts';
import { type Catalog, LEASE_MS } from './catalog.ts';
import { factsOf, indexedChunks, noFacts, type ReadFile, readFile, tablesOf } from './file-parts.ts';
import { inTime } from './in-time.ts';
import type { LakeIndex } from './lake-index.ts';
import type { MemoryRecord } from './memory-record.ts';
import { isGone } from './owner.ts';
import { ReadSlots } from './read-slots.ts';
import { summaryOf } from './summary-of.ts';
import { type FileVectors, type LakeModels, noVectors, vectorsOf } from './vectors/file-vectors.ts';
import { LeaseLost, whileLeased } from './while-leased.ts';

export interface IngestProgress {
  /** From `searchable` on, the memory is found by its words; vectors follow. */
  readonly step: 'reading' | 'recognising' | 'searchable' | 'embedding' | 'storing';
  readonly chunks: number;
  readonly embedded: number;
  /** While text is recognised: how many pages are done, of how many. */
  readonly recognised?: { readonly done: number; readonly pages: number };
}

export type OnProgress = (progress: IngestProgress) => void;

const EMBEDDED_AT_ONCE = 2;
/** Chunks that wait in memory for their vectors before reading waits too. */
const MAX_WAITING_CHUNKS = 20_000;
/** How long a file waits for its vectors while the words of others are read. */
const WORDS_FIRST_MS = 60_000;
/** So many are a matter of a second. */
const FEW_CHUNKS = 32;
/** A file that ended the process twice is not tried again by itself. */
const MAX_BEGUN = 2;
/** How often a file that another program reads is looked at. */
const POLL_MS = 100;

/** Turns acknowledged bytes into memories that can be found: wholly or not at all. */
export class IngestPipeline {
  readonly #running = new Map<string, Promise<MemoryRecord | undefined>>();
  readonly #reading = new ReadSlots();
  readonly #embedding = new Semaphore(EMBEDDED_AT_ONCE);
  #waitingChunks = 0;
  readonly #stop = new AbortController();
  readonly #options: IngestPipelineOptions;

  constructor(options: IngestPipelineOptions) {
    this.#options = options;
    // Every file under way listens to it.
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

  /** Takes over what a process left behind when it ended. */
  async resume(): Promise<number> {
    const ids = await this.#options.catalog.abandoned(isGone);
    for (const id of ids) {
      this.process(id).catch((error) => this.#options.log.error('reading a file again failed', { id, error }));
    }
    return ids.length;
  }

  /** Waits until vectors that will be there in a moment are there; not for many. */
  async vectorsSoon(patienceMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#waitingChunks === 0 || this.#waitingChunks > FEW_CHUNKS) return;
    await inTime(Promise.allSettled(this.#running.values()), patienceMs, signal);
  }

  async close(): Promise<void> {
    const { catalog, owner } = this.#options;
    this.#stop.abort(new Error('the lake is closing'));
    const ids = [...this.#running.keys()];
    await Promise.allSettled(this.#running.values());
    for (const id of ids) await catalog.letGo(id, owner);
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
      // Another program is reading it: wait until it has, or until its lease ends.
      await pause(POLL_MS, undefined, { signal: this.#stop.signal });
    }
  }

  /** Reads what is pending of a memory, so that its words are found; its vectors may still be under way then. */
  async #readNext(id: string, onProgress: OnProgress): Promise<{ vectors: Promise<void> } | undefined> {
    const { catalog, owner } = this.#options;
    const memory = await catalog.claim(id, owner, isGone);
    if (!memory?.pending) return undefined;
    if ((memory.pending.begun ?? 0) > MAX_BEGUN) {
      this.#options.log.warn('a file ended the lake twice while it was read', { id });
      await this.#fail(memory, 'The lake ended twice while it was read. Add it again to try once more', memory.type);
      return { vectors: Promise.resolve() };
    }
    let file: ReadFile | undefined;
    await this.#guard(memory, async (signal) => {
      file = await this.#read(memory, onProgress, signal);
    });
    if (!file) return { vectors: Promise.resolve() };
    const vectors = this.#embedLater(memory, file, onProgress);
    onProgress({ step: 'searchable', chunks: file.chunks.length, embedded: 0 });
    // What waits is held in memory: with too much of it, the next file is read when these vectors are made.
    if (this.#waitingChunks > MAX_WAITING_CHUNKS) await vectors;
    return { vectors };
  }

  async #embedLater(memory: MemoryRecord, file: ReadFile, onProgress: OnProgress): Promise<void> {
    this.#waitingChunks += file.chunks.length;
    try {
      if (this.#waitingChunks <= MAX_WAITING_CHUNKS)
        await inTime(this.#reading.idle(this.#stop.signal), WORDS_FIRST_MS, this.#stop.signal);
      await this.#embedding.run(
        () => this.#guard(memory, (signal) => this.#embed(memory, file, onProgress, signal)),
        this.#stop.signal,
      );
    } finally {
      this.#waitingChunks -= file.chunks.length;
    }
  }

  /** Does a part of the work on a memory while its lease is renewed, and records what fails. */
  async #guard(memory: MemoryRecord, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await whileLeased({ renew: () => this.#renew(memory), everyMs: LEASE_MS / 3 }, this.#stop.signal, work);
    } catch (error) {
      if (this.#stop.signal.aborted) {
        await this.#options.catalog.putOff(memory.id, memory.pending!).catch(() => {});
        throw error;
      }
      if (error instanceof LeaseLost) return this.#tidy(memory, false);
      this.#options.log.error('ingest failed', { id: memory.id, error });
      await this.#fail(
        memory,
        'Something went wrong while it was stored; the log says what. Add it again',
        memory.type,
      );
    }
  }

  /** Gives the file where vectors of it are to be made. */
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
    // A process that was held up may have been replaced; what the other stored is newer.
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

  /** Whether the work is still one's own; then it is for a while longer. */
  #renew(memory: MemoryRecord): Promise<boolean> {
    return this.#options.catalog.renew(memory.id, memory.pending!);
  }

  /** Lets go of bytes that a newer version replaced, and of index entries of a memory that was removed meanwhile. */
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

export interface IngestPipelineOptions extends LakeModels {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly blobs: LocalBlobStore;
  readonly reader: FileReader;
  readonly summariser: Summariser | undefined;
  readonly owner: string;
  readonly log: Logger;
}
