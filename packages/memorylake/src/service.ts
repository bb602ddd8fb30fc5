import { silentLogger } from '@atoll-mcp/core';
import type { CodeRunner } from './backends/interface.ts';
import { type DrawnPage, defaultLimits } from './domain/document.ts';
import type { MemoryFilter } from './domain/organise/memory-filter.ts';
import { memoryNotFound, memoryNotReady } from './errors.ts';
import { Catalog } from './service/catalog.ts';
import { Folders } from './service/folders/folders.ts';
import type { GivenContent } from './service/given-file.ts';
import { IngestPipeline, type OnProgress } from './service/ingest-pipeline.ts';
import { LakeIndex } from './service/lake-index.ts';
import type { ListOptions, MemoryLakeOptions } from './service/lake-options.ts';
import {
  type AddedFile,
  type AddedMemory,
  type AddingSteps,
  Library,
  noFiles,
  type WaitOptions,
} from './service/library.ts';
import { Links } from './service/links.ts';
import { indexedPassages, MemoryReader, type ReadOptions, type ReadText } from './service/memory-reader.ts';
import type { MemoryRecord, MemoryStatus, StoredFile } from './service/memory-record.ts';
import { type CollectionSummary, Organiser } from './service/organise/organiser.ts';
import { type LakeOverview, lakeOverview } from './service/overview.ts';
import { newOwner } from './service/owner.ts';
import { CitedTexts } from './service/remember/cited-texts.ts';
import { withNotes } from './service/remember/note-reader.ts';
import { Notes } from './service/remember/notes.ts';
import { type ChartRequest, Charts } from './service/results/charts.ts';
import { CodeRuns } from './service/results/code-runs.ts';
import { ResultFiles } from './service/results/result-files.ts';
import { type ChartResult, TableQueries, type TableQuery, type TableResult } from './service/results/table-queries.ts';
import { Search, type SearchAnswer, type SearchQuestion } from './service/search.ts';
import { shortId } from './service/short-id.ts';
import { Tables } from './service/tables.ts';
import { Meaning } from './service/vectors/meaning.ts';
import { Similar, type SimilarMemory } from './service/versions/similar.ts';
import { VersionStore } from './service/versions/version-store.ts';
import { Versions } from './service/versions/versions.ts';

export type { Lake } from './service/limits/lake.ts';

const RESUME_EVERY_MS = 15_000;

/** A lake of documents: stores, searches and computes on them. */
export class MemoryLakeService {
  readonly #options: MemoryLakeOptions;
  readonly #runner: CodeRunner;
  readonly #catalog: Catalog;
  readonly #ingest: IngestPipeline;
  readonly #library: Library;
  readonly #search: Search;
  readonly #reader: MemoryReader;
  readonly #tables: Tables;
  readonly #links: Links;
  readonly results: ResultFiles;
  readonly code: CodeRuns;
  readonly #charts: Charts;
  readonly #tableQueries: TableQueries;
  readonly notes: Notes;
  readonly folders: Folders | undefined;
  readonly versions: Versions;
  readonly #similar: Similar;
  readonly #organiser: Organiser;
  #resuming: NodeJS.Timeout | undefined;

  constructor(options: MemoryLakeOptions) {
    const { storage, reader, embedder, multilingual, summariser, log = silentLogger, now = () => new Date() } = options;
    const { blobs } = storage;
    const catalog = new Catalog({ storage, now, newId: shortId });
    const index = new LakeIndex(storage, embedder, multilingual);
    const models = { embedder, multilingual };
    const runner = options.runner(
      (id) => this.#fileOf(id),
      (id) => this.#tables.tablesOf(id),
    );
    const owner = newOwner();
    const pipeline = { catalog, index, blobs, reader: withNotes(reader), ...models, summariser, owner, log };
    const ingest = new IngestPipeline(pipeline);
    this.#options = options;
    this.#runner = runner;
    this.#catalog = catalog;
    this.#ingest = ingest;
    const { files = noFiles, maxFileBytes = defaultLimits.maxFileBytes } = options;
    const store = new VersionStore({ storage, ingest, keep: options.keepVersions ?? 10 });
    const parts = { catalog, index, ingest, blobs, reader, files, maxFileBytes, owner, log };
    const library = new Library({ ...parts, versions: store });
    this.#library = library;
    this.versions = new Versions({ store, blobs, reader });
    const meaning = new Meaning({ catalog, index, ...models, log });
    this.#search = new Search({ catalog, index, meaning, ingest });
    const passages = indexedPassages(index);
    this.#reader = new MemoryReader({ passages, blobs, reader });
    this.#similar = new Similar({ catalog, index, passages });
    const tables = new Tables({ catalog, blobs, reader, runner });
    this.#tables = tables;
    this.results = new ResultFiles({ storage, now, newId: shortId });
    const { results } = this;
    this.code = new CodeRuns({ runner, catalog, library, results, link: (file) => this.link(file), newId: shortId });
    const { code } = this;
    this.#charts = new Charts({ renderer: options.charts, code });
    const organiser = new Organiser({ storage, catalog, index, now });
    this.#organiser = organiser;
    this.#tableQueries = new TableQueries({ organiser, tables, code, charts: this.#charts });
    const cited = new CitedTexts({ catalog, reading: this.#reader });
    this.notes = new Notes({ storage, organiser, library, ingest, cited, now, newId: shortId, owner });
    this.folders = options.folders && new Folders({ ...options.folders, storage, library, log });
    this.#links = new Links({ storage, now, ttlSeconds: options.linkTtlSeconds ?? 900 });
  }

  /** Resumes work that other processes left unfinished, now and every few seconds. */
  async start(): Promise<void> {
    await this.#ingest.resume();
    await this.#organiser.resume();
    this.#resuming = setInterval(() => void this.#ingest.resume().catch(() => {}), RESUME_EVERY_MS).unref();
  }

  /** Adds a file and waits until it is ready or has failed. */
  add(file: AddedFile, onProgress?: OnProgress): Promise<AddedMemory> {
    return this.#library.add(file, onProgress);
  }

  /** Adds a file; separate promises resolve when it is searchable and when all work on it is done. */
  addInSteps(file: AddedFile, onProgress?: OnProgress): Promise<AddingSteps> {
    return this.#library.addInSteps(file, onProgress);
  }

  /** Adds every file of a local archive as its own memory. */
  addArchive(...archive: Parameters<Library['addArchive']>): Promise<AddedMemory[]> {
    return this.#library.addArchive(...archive);
  }

  /** Adds a file and waits until it is searchable, at most as long as clients usually wait. */
  addSoon(file: AddedFile, options?: WaitOptions): Promise<AddedMemory> {
    return this.#library.addSoon(file, options);
  }

  /** Adds content that a caller sent, or a file in the import folders that it named. */
  addGiven(given: GivenContent, options?: WaitOptions): Promise<AddedMemory> {
    return this.#library.addGiven(given, options);
  }

  /** A local file, by its absolute path. */
  fileAt(path: string, name: string): AddedFile {
    return this.#library.fileAt(path, name);
  }

  remove(ids: readonly string[]): Promise<{ deleted: string[]; notFound: string[] }> {
    return this.#library.remove(ids);
  }

  removePath(path: string): Promise<string | undefined> {
    return this.#library.removePath(path);
  }

  pathsUnder(folder: string): Promise<string[]> {
    return this.#library.pathsUnder(folder);
  }

  reindex(onFile: (done: number, total: number, memory: MemoryRecord | undefined) => void = () => {}): Promise<number> {
    return this.#library.reindex(onFile);
  }

  onChange(listener: (memoryId: string) => void): () => void {
    return this.#library.onChange(listener);
  }

  overview(collections?: readonly string[]): Promise<LakeOverview> {
    return lakeOverview(this.#catalog, collections);
  }

  /** Lists files by default; notes with `kind`. */
  list({ type, status, nameContains, limit = 50, offset = 0, kind = 'file', ...filter }: ListOptions) {
    const where = {
      ...(type && { type }),
      ...(status && { status }),
      ...(nameContains && { name: { contains: nameContains, ignoreCase: true } }),
    };
    return this.#organiser.list({ kind, ...filter }, where, { limit, offset });
  }

  /** While a newer version is being read, a memory counts as `processing`. */
  statusOf({ status, pending, blobKey }: MemoryRecord): MemoryStatus {
    return pending && pending.blobKey !== blobKey ? 'processing' : status;
  }

  /** Whether a memory is found by keywords while its vectors are still being computed. */
  hasVectorsPending(memory: MemoryRecord): boolean {
    return memory.pending !== null && this.statusOf(memory) === 'ready';
  }

  /** Memories in the order of the ids; unknown ids are left out. */
  async fetch(ids: readonly string[]): Promise<MemoryRecord[]> {
    const found = await this.#catalog.memories.getMany([...new Set(ids)]);
    return found.filter((memory): memory is MemoryRecord => memory !== undefined);
  }

  async search(question: SearchQuestion): Promise<SearchAnswer> {
    await this.#organiser.check(question);
    if (question.createdAfterMs !== undefined || question.createdBeforeMs !== undefined)
      await this.#organiser.fillAttributes();
    const answer = await this.#search.search({ ...question, currentOnly: await this.notes.hasSuperseded() });
    return { ...answer, results: await this.notes.addSources(answer.results) };
  }

  collections(): Promise<CollectionSummary[]> {
    return this.#organiser.collections();
  }

  describeCollection(name: string, description: string): Promise<void> {
    return this.#organiser.describe(name, description);
  }

  /** Changes a memory's name, collection or tags. */
  async update(
    id: string,
    { name, ...change }: { name?: string | undefined } & Parameters<Organiser['update']>[1],
  ): Promise<MemoryRecord> {
    const updated = await this.#organiser.update(id, change);
    if (!updated) throw memoryNotFound(id);
    if (name === undefined || name === updated.name) return updated;
    const renamed = await this.#library.rename(id, name);
    if (!renamed) throw memoryNotReady(id, updated.name, 'processing', null);
    return renamed;
  }

  async read(
    id: string,
    { version, ...options }: ReadOptions & { version?: number | undefined },
    signal?: AbortSignal,
  ): Promise<ReadText & { memory: MemoryRecord }> {
    const memory = await this.getMemory(id);
    if (version !== undefined && version !== (memory.version ?? 1))
      return { memory, ...(await this.versions.read(memory, version, options, signal)) };
    return { memory, ...(await this.#reader.read(await this.#catalog.ready(id), options, signal)) };
  }

  /** A memory by its id; fails if there is none. */
  async getMemory(id: string): Promise<MemoryRecord> {
    const memory = await this.#catalog.memories.get(id);
    if (!memory) throw memoryNotFound(id);
    return memory;
  }

  /** Memories with nearly the same text. */
  async similarTo(id: string, least = 0.3, filter: MemoryFilter = {}): Promise<SimilarMemory[]> {
    return this.#similar.find(await this.#catalog.ready(id), least, filter);
  }

  async drawPage(id: string, page: number, signal?: AbortSignal): Promise<DrawnPage> {
    return this.#reader.draw(await this.#catalog.ready(id), page, signal);
  }

  queryTables(sql: string, query: TableQuery): Promise<TableResult> {
    return this.#tableQueries.query(sql, query);
  }

  /** Draws a chart of the rows that a query returns. */
  chart(sql: string, chart: ChartRequest, query: Omit<TableQuery, 'limit'>): Promise<ChartResult> {
    return this.#tableQueries.chart(sql, chart, query);
  }

  /** A temporary download link for a memory's or a result's file; null without HTTP. */
  async link({ id }: { readonly id: string }): Promise<string | null> {
    const baseUrl = this.#options.baseUrl?.();
    return baseUrl === undefined ? null : this.#links.sign(baseUrl, id);
  }

  checkLink(id: string, expires: string | null, signature: string | null): Promise<'ok' | 'expired' | 'forged'> {
    return this.#links.check(id, expires, signature);
  }

  /** The memory or result behind a download link. */
  async fileBehind(id: string): Promise<StoredFile | undefined> {
    return (await this.#catalog.memories.get(id)) ?? this.results.get(id);
  }

  bytesOf({ blobKey }: Pick<StoredFile, 'blobKey'>) {
    return this.#options.storage.blobs.get(blobKey);
  }

  async close(): Promise<void> {
    clearInterval(this.#resuming);
    const folders = this.folders?.close();
    await this.#ingest.close();
    await folders;
    await this.code.closeAll();
    await this.#charts.close();
    await this.#runner.close();
    await this.#options.reader.close();
    await this.#options.closeModels?.();
    await this.#options.storage.close();
  }

  async #fileOf(id: string): Promise<{ name: string; path: string } | undefined> {
    const memory = await this.#catalog.memories.get(id);
    if (memory?.status !== 'ready') return undefined;
    return { name: memory.name, path: await this.#options.storage.blobs.localPath(memory.blobKey) };
  }
}
