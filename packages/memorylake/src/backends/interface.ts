import type { BlobStore, Storage } from '@atoll-mcp/core/storage';
import type { Spec, Value } from '../domain/charts/columns.ts';
import type { FileFacts } from '../domain/chunk-file.ts';
import type { ColumnType, ColumnValue } from '../domain/columns/column-types.ts';
import type { DrawnPage, FileFormat, MemoryType, Place } from '../domain/document.ts';
import type { SheetRow } from '../domain/tables/sheet-shape.ts';
import type { ExtraColumns, RowRange, TypedTable } from '../domain/tables/table-rows.ts';

// ── Storage ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Blobs that are readable as local files. */
export type LocalBlobStore = BlobStore & Required<Pick<BlobStore, 'localPath'>>;

export interface LakeStorage extends Storage {
  readonly blobs: LocalBlobStore;
}

// ── Reading files ────────────────────────────────────────────────────────────────────────────────────────────────

export interface FileToRead {
  readonly path: string;
  /** Its original name; the path may be that of a blob. */
  readonly name: string;
  /** Read as plain text, whatever it looks like. */
  readonly isNote?: boolean;
}

/** A chunk with the terms it is found by. */
export interface ReadChunk {
  readonly text: string;
  readonly place: Place;
  readonly context: string;
  readonly terms: readonly string[];
}

/** A file inside another: an attachment of a mail, or a file of an archive. */
export interface FilePart {
  /** In an archive, with its folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type ReadOutcome =
  | { readonly ok: true; readonly format: FileFormat; readonly facts: FileFacts; readonly summary: string }
  /** `type` is the type it appeared to be. */
  | { readonly ok: false; readonly reason: string; readonly type: MemoryType };

/** Reads files in other processes, within limits. Unreadable files are outcomes, not errors. */
export interface FileReader {
  /** Passes chunks in order, batch by batch; the next batch waits for the promise. */
  read(
    file: FileToRead,
    options: {
      onChunks: (chunks: readonly ReadChunk[]) => Promise<void>;
      /** Called before the first and after each page whose text is recognised. */
      onRecognised?: (done: number, pages: number) => void;
      signal?: AbortSignal;
    },
  ): Promise<ReadOutcome>;
  rows(file: FileToRead, format: FileFormat, range: RowRange, signal?: AbortSignal): Promise<readonly SheetRow[]>;
  table(
    file: FileToRead,
    format: FileFormat,
    wanted: { readonly sheet: string } & ExtraColumns,
    signal?: AbortSignal,
  ): Promise<TypedTable>;
  /** A page of a PDF as a picture. */
  draw(file: FileToRead, page: number, signal?: AbortSignal): Promise<DrawnPage>;
  /** Passes the files inside a mail or an archive one by one; the next waits for the promise. */
  parts(file: FileToRead, onPart: (part: FilePart) => Promise<void>, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Local files, added by their path. */
export interface LocalFiles {
  /** The real path of a file; fails if it is outside the import folders, also through links. */
  resolveImport(path: string): Promise<string>;
  read(path: string): AsyncIterable<Uint8Array>;
}

// ── Folders ──────────────────────────────────────────────────────────────────────────────────────────────────────

export interface FolderContents {
  /** `state` differs after the file has changed. */
  readonly files: readonly { readonly name: string; readonly state: string }[];
  readonly folders: readonly string[];
}

/** Folders that a running server watches. */
export interface FolderSource {
  /** Direct entries of a folder; `closed` if it exists but is not readable. */
  contents(folder: string): Promise<FolderContents | 'gone' | 'closed'>;
  isDocument(path: string): Promise<boolean>;
  /** Calls back after direct changes in the folder. Returns a function that stops watching; undefined if it cannot be watched. */
  watch(folder: string, onChange: () => void): (() => void) | undefined;
}

// ── Vectors ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The part of an embedder that the lake uses; one of cortex-embeddings fits as it is. */
export interface LakeEmbedder {
  /** Only vectors of the same identity can be compared. */
  readonly identity: string;
  readonly dimensions: number;
  readonly model: {
    readonly name: string;
    readonly prompts: { readonly query: string; readonly passage: string };
    /** ISO 639-1 codes of its languages, if known. */
    readonly languages?: readonly string[] | undefined;
    /** Typical cosine of two unrelated texts; default 0. */
    readonly unrelatedCosine?: number | undefined;
  };
  embed(
    texts: readonly string[],
    options?: { priority?: 'interactive' | 'bulk'; signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}

// ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Writes summaries with a language model. */
export interface Summariser {
  summarise(file: { name: string; facts: string; opening: string }, signal?: AbortSignal): Promise<string>;
}

// ── Code ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type CodeLanguage = 'python' | 'javascript';

export interface CodeOutcome {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly error?: { readonly kind: string; readonly message: string; readonly traceback?: string };
  /** Whether variables of earlier calls are still there. */
  readonly statePreserved: boolean;
  /** Files that the code wrote into `out/`, and those that were refused. */
  readonly files: readonly { readonly name: string; readonly data: Uint8Array }[];
  readonly refusedFiles: readonly { readonly name: string; readonly reason: string }[];
}

export interface RunOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with output while the code runs. */
  readonly onOutput?: (text: string) => void;
}

export interface SqlTableInput {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly rows: Iterable<readonly ColumnValue[]>;
}

interface SqlOutcome {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly truncated: boolean;
  readonly error?: string;
}

export interface NamedTypedTable extends TypedTable {
  readonly name: string;
}

/** The tables of a memory, by its id. */
export type FindTables = (memoryId: string) => Promise<readonly NamedTypedTable[] | undefined>;

/** The local path of a file for code, by memory id. */
export type FindFile = (memoryId: string) => Promise<{ readonly name: string; readonly path: string } | undefined>;

/** Why an executor ended: closed by the caller, unused for too long, or killed by a limit or a crash. */
export type RunnerEnd = 'closed' | 'expired' | 'killed';

export interface CodeExecutor {
  readonly language: CodeLanguage;
  readonly ended: RunnerEnd | undefined;
  /** Ids of the memories that its code has read. */
  readonly inputs: ReadonlySet<string>;
  run(code: string, options: RunOptions): Promise<CodeOutcome>;
  close(): Promise<void>;
}

/** Runs untrusted code. Throws a ToolError with the remedy if code cannot run here. */
export interface CodeRunner {
  /** With `maySee`, its code can read only what that allows. */
  open(language: CodeLanguage, maySee?: (memoryId: string) => Promise<boolean>): Promise<CodeExecutor>;
  query(
    tables: readonly SqlTableInput[],
    sql: string,
    options: { maxRows: number; signal?: AbortSignal },
  ): Promise<SqlOutcome>;
  close(): Promise<void>;
}

// ── Charts ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Draws a Vega-Lite spec over rows. Throws a ToolError for an invalid spec, or if charts cannot be drawn here. */
export interface ChartRenderer {
  draw(
    chart: { readonly spec: Spec; readonly rows: readonly Readonly<Record<string, Value>>[] },
    signal?: AbortSignal,
  ): Promise<{ readonly png: Uint8Array; readonly warnings: readonly string[] }>;
  close(): Promise<void>;
}
