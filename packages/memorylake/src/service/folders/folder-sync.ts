import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { type Logger, Semaphore, ToolError } from '@atoll-mcp/core';
import type { CollectionDefinition, Storage, StoredRecord } from '@atoll-mcp/core/storage';
import type { FolderSource } from '../../backends/interface.ts';
import type { FolderPatterns } from '../../domain/folders/folder-filter.ts';
import type { Library } from '../library.ts';
import { FolderComparison, type FollowedFile } from './folder-changes.ts';

export interface FolderSettings extends FolderPatterns {
  readonly path: string;
  readonly collection?: string | undefined;
}

/** A file of a watched folder as it was last seen. Its id is a hash of its path. */
interface FolderFileRecord extends StoredRecord, FollowedFile {
  readonly folder: string;
  /** Null for files that are not documents or were refused. */
  readonly memoryId: string | null;
  readonly reason: string | null;
}

const folderFileCollection: CollectionDefinition<FolderFileRecord> = {
  name: 'folder_files',
  version: 1,
  fields: { folder: 'text' },
  indexes: [['folder']],
};

export interface FolderStatus {
  readonly path: string;
  readonly collection: string | undefined;
  /** `away`: missing or not readable; its files stay in the lake. */
  readonly state: 'starting' | 'reading' | 'in_step' | 'away';
  readonly files: number;
  readonly refused: number;
}

/** Debounce: programs save in several steps. */
const QUIET_MS = 300;
const MAX_DELAY_MS = 1_000;
/** Files read at the same time; vectors of earlier files are computed meanwhile. */
const CONCURRENCY = 32;
/** How often everything is scanned, for changes without an event. */
const RESCAN_MS = 600_000;
/** The same while the folder is away or cannot be watched. */
const FREQUENT_RESCAN_MS = 30_000;

/** Synchronises one folder into the lake. Memories with other sources are never removed. */
export class FolderSync {
  readonly #options: FolderSyncOptions;
  readonly #comparison: FolderComparison;
  readonly #known = new Map<string, Map<string, FolderFileRecord>>();
  readonly #watches = new Map<string, () => void>();
  readonly #changed = new Set<string>();
  #state: FolderStatus['state'] = 'starting';
  #isWatched = true;
  #waitingSince: number | undefined;
  #debounceTimer: NodeJS.Timeout | undefined;
  #rescanTimer: NodeJS.Timeout | undefined;
  #scanning: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: FolderSyncOptions) {
    this.#options = options;
    const { settings, source } = options;
    this.#comparison = new FolderComparison({ root: settings.path, patterns: settings, source, known: this.#known });
  }

  async start(): Promise<void> {
    for await (const record of this.#records.scan({ folder: this.#options.settings.path })) this.#note(record);
    await this.#scan([this.#options.settings.path], true);
  }

  status(): FolderStatus {
    const { path, collection } = this.#options.settings;
    const records = [...this.#known.values()].flatMap((files) => [...files.values()]);
    const files = records.filter(({ memoryId }) => memoryId !== null).length;
    const refused = records.filter(({ reason }) => reason !== null).length;
    return { path, collection, state: this.#state, files, refused };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#debounceTimer);
    clearTimeout(this.#rescanTimer);
    for (const stop of this.#watches.values()) stop();
    this.#watches.clear();
    await this.#scanning;
  }

  /** Scans run one after another. */
  #scan(folders: Iterable<string>, isDeep: boolean): Promise<void> {
    this.#scanning = this.#scanning
      .then(() => (this.#isClosed ? undefined : this.#compare(folders, isDeep)))
      .catch((error) => {
        if (this.#isClosed) return;
        this.#options.log.warn('folder not synchronised', { folder: this.#options.settings.path, error });
        this.#state = 'away';
      })
      .then(() => this.#scheduleRescan());
    return this.#scanning;
  }

  async #compare(folders: Iterable<string>, isDeep: boolean): Promise<void> {
    const changes = await this.#comparison.changes(folders, isDeep);
    if (!changes) {
      this.#state = 'away';
      return;
    }
    this.#state = 'reading';
    for (const folder of changes.seen) this.#watch(folder);
    const slots = new Semaphore(CONCURRENCY);
    // Additions first, so that a moved file keeps its memory when its former path is removed.
    const renamed: string[] = [];
    await Promise.all(changes.present.map((file) => this.#add(file, slots, renamed)));
    for (const path of changes.absent) await this.#remove(path);
    for (const path of renamed) await this.#rename(path);
    for (const folder of changes.lost) this.#unwatch(folder);
    this.#state = 'in_step';
  }

  async #add({ path, state }: FollowedFile, slots: Semaphore, renamed: string[]): Promise<void> {
    const { library, source, settings } = this.#options;
    const name = basename(path);
    const seen = { id: idOf(path), folder: settings.path, path, state, memoryId: null, reason: null };
    const begin = async () => {
      if (this.#isClosed || !(await source.isDocument(path))) return undefined;
      const file = { ...library.fileAt(path, name), source: sourceOf(path), collection: settings.collection };
      const begun = await library.addInSteps(file);
      await begun.searchable;
      return begun;
    };
    try {
      const steps = await slots.run(begin);
      if (this.#isClosed) return;
      if (!steps) return await this.#save(seen);
      const { memory } = await steps.settled;
      if (memory.name !== name) renamed.push(path);
      await this.#save({ ...seen, memoryId: memory.id, reason: memory.reason });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await this.#save({ ...seen, reason: error.message });
    }
  }

  async #remove(path: string): Promise<void> {
    await this.#options.library.removeSource(sourceOf(path));
    await this.#records.delete(idOf(path));
    this.#known.get(dirname(path))?.delete(path);
  }

  /** Renames the memory of a renamed file, unless it has another source. */
  async #rename(path: string): Promise<void> {
    const { library } = this.#options;
    const id = this.#known.get(dirname(path))?.get(path)?.memoryId;
    if (id && (await library.isOnlySource(id, sourceOf(path)))) await library.rename(id, basename(path));
  }

  async #save(record: FolderFileRecord): Promise<void> {
    await this.#records.put(record);
    this.#note(record);
  }

  #note(record: FolderFileRecord): void {
    const folder = dirname(record.path);
    const files = this.#known.get(folder) ?? new Map<string, FolderFileRecord>();
    files.set(record.path, record);
    this.#known.set(folder, files);
  }

  #watch(folder: string): void {
    if (this.#isClosed || this.#watches.has(folder)) return;
    const stop = this.#options.source.watch(folder, () => this.#onChange(folder));
    if (stop) this.#watches.set(folder, stop);
    this.#isWatched &&= stop !== undefined;
  }

  #unwatch(folder: string): void {
    this.#watches.get(folder)?.();
    this.#watches.delete(folder);
    this.#known.delete(folder);
  }

  #onChange(folder: string): void {
    if (this.#isClosed) return;
    this.#changed.add(folder);
    const now = Date.now();
    this.#waitingSince ??= now;
    clearTimeout(this.#debounceTimer);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#waitingSince + MAX_DELAY_MS - now));
    this.#debounceTimer = setTimeout(() => {
      this.#waitingSince = undefined;
      const folders = [...this.#changed];
      this.#changed.clear();
      void this.#scan(folders, false);
    }, wait).unref();
  }

  #scheduleRescan(): void {
    clearTimeout(this.#rescanTimer);
    if (this.#isClosed) return;
    const often = this.#state === 'away' || !this.#isWatched;
    const look = () => void this.#scan([this.#options.settings.path], true);
    this.#rescanTimer = setTimeout(look, often ? FREQUENT_RESCAN_MS : RESCAN_MS).unref();
  }

  get #records() {
    return this.#options.storage.records.collection(folderFileCollection);
  }
}

interface FolderSyncOptions {
  readonly settings: FolderSettings;
  readonly source: FolderSource;
  readonly storage: Storage;
  readonly library: Library;
  readonly log: Logger;
}

const idOf = (path: string): string => createHash('sha256').update(path).digest('hex');

/** A separate source, so that a file that was also added by its path stays when the folder loses it. */
const sourceOf = (path: string): string => `folder:${path}`;
