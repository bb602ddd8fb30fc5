import type { FileReader, LocalBlobStore } from '../../backends/interface.ts';
import { diffTooLarge, fileUnreadable, versionNotFound } from '../../errors.ts';
import type { ChunkPayload } from '../lake-index.ts';
import { MemoryReader, type ReadOptions, type ReadText } from '../memory-reader.ts';
import type { MemoryRecord } from '../memory-record.ts';
import type { VersionStore } from './version-store.ts';

interface VersionSummary {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sinceMs: number;
  readonly untilMs?: number;
}

export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  /** Unified diff of the texts; empty when they are the same. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly truncated: boolean;
}

const DIFF_MS = 3_000;
const MAX_DIFF_CHARACTERS = 40_000;
const CONTEXT = 3;

/** Former versions of memories. They are not indexed but read again from their bytes. */
export class Versions {
  readonly #options: { store: VersionStore; blobs: LocalBlobStore; reader: FileReader };

  constructor(options: { store: VersionStore; blobs: LocalBlobStore; reader: FileReader }) {
    this.#options = options;
  }

  async list(memory: MemoryRecord): Promise<VersionSummary[]> {
    const { name, sizeBytes, createdMs, version = 1, versionMs: sinceMs = createdMs } = memory;
    const former = await this.#options.store.list(memory.id);
    return [
      { version, isCurrent: true, name, sizeBytes, sinceMs },
      ...former.map((record) => ({ ...record, isCurrent: false })),
    ];
  }

  async read(memory: MemoryRecord, version: number, options: ReadOptions, signal?: AbortSignal): Promise<ReadText> {
    const { record, chunks } = await this.#load(memory, version, signal);
    const { blobs, reader } = this.#options;
    const passages = async (_: MemoryRecord, first: number, count: number) =>
      chunks.slice(first - 1, first - 1 + count);
    return new MemoryReader({ passages, blobs, reader }).read(record, options, signal);
  }

  async diff(memory: MemoryRecord, from: number, to: number, signal?: AbortSignal): Promise<VersionDiff> {
    const [former, later] = [await this.#load(memory, from, signal), await this.#load(memory, to, signal)];
    const { createTwoFilesPatch } = await import('diff');
    const label = (version: number, name: string) => `${name} (version ${version})`;
    const patch = createTwoFilesPatch(
      label(from, former.record.name),
      label(to, later.record.name),
      textOf(former.chunks),
      textOf(later.chunks),
      undefined,
      undefined,
      { context: CONTEXT, timeout: DIFF_MS },
    );
    if (patch === undefined) throw diffTooLarge(memory.name);
    const lines = patch.slice(patch.indexOf('--- ')).split('\n');
    const count = (sign: string) => lines.slice(2).filter((line) => line.startsWith(sign)).length;
    const text = count('+') + count('-') === 0 ? '' : lines.join('\n');
    const truncated = text.length > MAX_DIFF_CHARACTERS;
    return { from, to, diff: text.slice(0, MAX_DIFF_CHARACTERS), added: count('+'), removed: count('-'), truncated };
  }

  /** A version with its passages, as a memory record. */
  async #load(memory: MemoryRecord, version: number, signal: AbortSignal | undefined) {
    const { store, blobs, reader } = this.#options;
    const current = memory.version ?? 1;
    const file = version === current ? memory : await store.get(memory.id, version);
    if (!file) {
      const there = [current, ...(await store.list(memory.id)).map((known) => known.version)];
      throw versionNotFound(memory.name, version, there);
    }
    const chunks: ChunkPayload[] = [];
    const outcome = await reader.read(
      { path: await blobs.localPath(file.blobKey), name: file.name },
      { onChunks: async (batch) => void chunks.push(...batch), ...(signal && { signal }) },
    );
    if (!outcome.ok) throw fileUnreadable(file.name, outcome.reason);
    const sheets = outcome.facts.sheets.map(({ name, rows, columns }) => ({
      name,
      table: '',
      rows,
      columns: columns.map((column) => column.name),
    }));
    const { name, blobKey, sizeBytes } = file;
    const { pages } = outcome.facts;
    const record = {
      ...memory,
      name,
      blobKey,
      sizeBytes,
      format: outcome.format,
      chunks: chunks.length,
      pages,
      sheets,
    };
    return { record, chunks };
  }
}

const textOf = (chunks: readonly ChunkPayload[]): string => chunks.map(({ text }) => `${text}\n`).join('');
