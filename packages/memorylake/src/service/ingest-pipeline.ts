import { isDeepStrictEqual } from 'node:util';
import { type Logger, Semaphore } from '@atoll-mcp/core';
import type { IndexedChunk } from '@atoll-mcp/core/storage';
import { tokeniseForIndex } from '@atoll-mcp/storage/search';
import type {
  FileReader,
  LakeEmbedder,
  LocalBlobStore,
  ReadChunk,
  ReadOutcome,
  Summariser,
} from '../backends/interface.ts';
import { typeOfFormat } from '../domain/document.ts';
import { organisedAttributes } from '../domain/organise/memory-filter.ts';
import { cutToWeight } from '../domain/text/sentences.ts';
import { type Catalog, LEASE_MS } from './catalog.ts';
import type { LakeIndex } from './lake-index.ts';
import type { MemoryRecord } from './memory-record.ts';
import type { NewSheet } from './name-tables.ts';
import { isGone } from './owner.ts';
import { Vectors } from './vectors.ts';
import { LeaseLost, whileLeased } from './while-leased.ts';

export interface IngestProgress {
  /** From `searchable` on, the memory is found by its words; vectors follow. */
  readonly step: 'reading' | 'searchable' | 'embedding' | 'storing';
  readonly chunks: number;
  readonly embedded: number;
}

export type OnProgress = (progress: IngestProgress) => void;

/** One file is read while another is embedded; more would only wait for each other. */
const AT_ONCE = 2;
const OPENING = 6_000;
/** Chunks whose vectors are made while the file is still read; those of a longer file follow when its words can be found. */
const EMBEDDED_AHEAD = 256;
const BATCH = 64;

/** Turns acknowledged bytes into memories that can be found: wholly or not at all. */
export class IngestPipeline {
  private readonly running = new Map<string, Promise<MemoryRecord | undefined>>();
  private readonly slots = new Semaphore(AT_ONCE);
  private readonly stop = new AbortController();
  private readonly options: IngestPipelineOptions;

  constructor(options: IngestPipelineOptions) {
    this.options = options;
  }

  /** Works on a memory until it is ready or failed; a second call joins the first. */
  process(id: string, onProgress: OnProgress = () => {}): Promise<MemoryRecord | undefined> {
    const known = this.running.get(id);
    if (known) return known;
    const work = this.slots
      .run(() => this.work(id, onProgress), this.stop.signal)
      .catch((error) => {
        if (!this.stop.signal.aborted) throw error;
        return this.options.catalog.memories.get(id);
      })
      .finally(() => this.running.delete(id));
    this.running.set(id, work);
    return work;
  }

  /** Takes over what a process left behind when it ended. */
  async resume(): Promise<number> {
    const ids = await this.options.catalog.abandoned(isGone);
    for (const id of ids) {
      this.process(id).catch((error) => this.options.log.error('reading a file again failed', { id, error }));
    }
    return ids.length;
  }

  async close(): Promise<void> {
    this.stop.abort(new Error('the lake is closing'));
    await Promise.allSettled(this.running.values());
  }

  private async work(id: string, onProgress: OnProgress): Promise<MemoryRecord | undefined> {
    const { catalog, owner, log } = this.options;
    // Newer bytes may arrive while older ones are read; the loop ends when nothing is left to do.
    for (;;) {
      const memory = await catalog.claim(id, owner, isGone);
      if (!memory?.pending) return catalog.memories.get(id);
      const lease = { renew: () => this.renew(memory), everyMs: LEASE_MS / 3 };
      try {
        await whileLeased(lease, this.stop.signal, (signal) => this.ingest(memory, onProgress, signal));
      } catch (error) {
        if (this.stop.signal.aborted) throw error;
        if (error instanceof LeaseLost) {
          await this.tidy(memory, false);
          continue;
        }
        log.error('ingest failed', { id, error });
        await this.fail(
          memory,
          'Something went wrong while it was stored; the log says what. Add it again',
          memory.type,
        );
      }
    }
  }

  private async ingest(memory: MemoryRecord, onProgress: OnProgress, signal: AbortSignal): Promise<void> {
    const { catalog, index, blobs, reader } = this.options;
    const { blobKey, name } = memory.pending!;
    const embedding = new Vectors((await index.takesVectors()) ? this.options.embedder : undefined, signal);
    const chunks: ReadChunk[] = [];
    const tell = (step: IngestProgress['step']) =>
      onProgress({ step, chunks: chunks.length, embedded: Math.min(embedding.done, chunks.length) });
    let handed = 0;
    tell('reading');
    const outcome = await reader.read(
      { path: await blobs.localPath(blobKey), name, isNote: memory.kind === 'note' },
      {
        signal,
        onChunks: async (batch) => {
          const isAhead = chunks.length < EMBEDDED_AHEAD;
          chunks.push(...batch);
          if (!isAhead) return;
          handed = chunks.length;
          await embedding.add(batch.map(embeddingText), () => tell('embedding'));
        },
      },
    );
    if (!outcome.ok) return this.fail(memory, outcome.reason, outcome.type);
    const card = cardOf(name, outcome);
    const type = typeOfFormat(outcome.format);
    const store = async (vectors: readonly Float32Array[] | undefined, model: string | null) => {
      // Its collection and tags may have changed while the file was read.
      const organised = organisedAttributes((await catalog.memories.get(memory.id)) ?? memory);
      const indexed = indexedChunks(name, outcome.summary, card.terms, chunks, vectors);
      await index.put(memory.id, { type, model, ...organised }, indexed);
      const now = organisedAttributes((await catalog.memories.get(memory.id)) ?? memory);
      if (!isDeepStrictEqual(now, organised)) await index.updateAttributes(memory.id, { type, model, ...now });
    };
    if (embedding.isWanted && handed < chunks.length) {
      if (!(await this.renew(memory))) throw new LeaseLost();
      await store(undefined, null);
      const result = { ...resultOf(outcome, chunks.length), summary: outcome.summary, model: null };
      if (!(await catalog.publish(memory.id, memory.pending!, result, ...tablesOf(outcome)))) throw new LeaseLost();
      if (memory.blobKey !== blobKey) await this.releaseBlob(memory.blobKey);
      tell('searchable');
      for (; handed < chunks.length; handed += BATCH) {
        signal.throwIfAborted();
        await embedding.add(chunks.slice(handed, handed + BATCH).map(embeddingText), () => tell('embedding'));
      }
    }
    await embedding.add([card.text], () => tell('embedding'));
    const vectors = await embedding.all();
    if (embedding.problem)
      this.options.log.warn('embedding failed, keywords only', { id: memory.id, error: embedding.problem });
    tell('storing');
    const model = vectors ? this.options.embedder!.identity : null;
    // A process that was held up may have been replaced; what the other stored is newer.
    if (!(await this.renew(memory))) throw new LeaseLost();
    await store(vectors, model);
    const summary = await this.summaryOf(name, outcome, chunks, signal);
    const result = { ...resultOf(outcome, chunks.length), summary, model };
    const isOurs = await catalog.finish(memory.id, memory.pending!, result, ...tablesOf(outcome));
    await this.tidy(memory, isOurs);
  }

  private async fail(memory: MemoryRecord, reason: string, type: MemoryRecord['type']): Promise<void> {
    if (!(await this.renew(memory))) return this.tidy(memory, false);
    await this.options.index.remove(memory.id);
    const isOurs = await this.options.catalog.finish(
      memory.id,
      memory.pending!,
      {
        status: 'failed',
        reason,
        type,
        format: null,
        summary: '',
        chunks: 0,
        tables: 0,
        figures: 0,
        pages: 0,
        model: null,
      },
      [],
    );
    await this.tidy(memory, isOurs);
  }

  /** Whether the work is still one's own; then it is for a while longer. */
  private renew(memory: MemoryRecord): Promise<boolean> {
    return this.options.catalog.renew(memory.id, memory.pending!);
  }

  /** Lets go of bytes that a newer version replaced, and of index entries of a memory that was removed meanwhile. */
  private async tidy(memory: MemoryRecord, isOurs: boolean): Promise<void> {
    const { catalog, index } = this.options;
    if (!isOurs && !(await catalog.memories.get(memory.id))) await index.remove(memory.id);
    await this.releaseBlob(memory.blobKey);
    if (!isOurs) await this.releaseBlob(memory.pending!.blobKey);
  }

  releaseBlob(key: string): Promise<void> {
    return this.options.catalog.releaseBlob(key, () => this.options.blobs.delete(key));
  }

  private async summaryOf(
    name: string,
    outcome: ReadOutcome & { ok: true },
    chunks: readonly ReadChunk[],
    signal: AbortSignal,
  ): Promise<string> {
    const { summariser, log } = this.options;
    if (!summariser) return outcome.summary;
    const opening = chunks
      .slice(0, 12)
      .map(({ text }) => text)
      .join('\n')
      .slice(0, OPENING);
    return summariser.summarise({ name, facts: outcome.summary, opening }, signal).catch((error) => {
      log.warn('summary endpoint failed, own summary used', { error });
      return outcome.summary;
    });
  }
}

export interface IngestPipelineOptions {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly blobs: LocalBlobStore;
  readonly reader: FileReader;
  readonly embedder: LakeEmbedder | undefined;
  readonly summariser: Summariser | undefined;
  readonly owner: string;
  readonly log: Logger;
}

const embeddingText = ({ context, text }: ReadChunk): string => (context === '' ? text : `${context}\n${text}`);

/** What a memory is found by as a whole: its name, sheets, columns and summary. */
function cardOf(name: string, { summary, facts }: ReadOutcome & { ok: true }): { text: string; terms: string[] } {
  const sheets = facts.sheets.map((sheet) => [sheet.name, ...sheet.columns.map((column) => column.name)].join(' '));
  const words = [name, facts.title ?? '', ...sheets, ...facts.headings].filter((part) => part !== '').join('\n');
  return { text: cutToWeight(`${name}\n${summary}`, 900)[0] ?? name, terms: tokeniseForIndex(words.slice(0, 8_000)) };
}

type GoodOutcome = ReadOutcome & { ok: true };

const resultOf = ({ format, facts: { tables, figures, pages } }: GoodOutcome, chunks: number) =>
  ({ status: 'ready', reason: null, type: typeOfFormat(format), format, chunks, tables, figures, pages }) as const;

/** The sheets of a file, and the tables of a document, as they are recorded. */
function tablesOf({ facts }: GoodOutcome): [NewSheet[], NewSheet[]] {
  const sheets = facts.sheets.map(({ name, rows, columns }) => ({
    name,
    rows,
    columns: columns.map((column) => column.name),
    types: columns.map(({ name: _name, holds: _holds, ...info }) => info),
  }));
  const documentTables = facts.documentTables.map(({ name, place, rows, columns }) => ({
    name,
    place,
    rows,
    columns: columns.map((column) => column.name),
    types: columns.map(({ name: _name, ...info }) => info),
  }));
  return [sheets, documentTables];
}

function indexedChunks(
  name: string,
  summary: string,
  cardTerms: readonly string[],
  chunks: readonly ReadChunk[],
  vectors: readonly Float32Array[] | undefined,
): IndexedChunk[] {
  return [
    { terms: cardTerms, vector: vectors?.at(-1), payload: { text: summary, place: {}, context: name } },
    ...chunks.map(({ text, place, context, terms }, at) => ({
      terms,
      vector: vectors?.[at],
      payload: { text, place, context },
    })),
  ];
}
