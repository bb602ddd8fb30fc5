import type { Logger } from '@atoll-mcp/core';
import type {
  ChartRenderer,
  CodeRunner,
  FileReader,
  FindFile,
  FindTables,
  FolderSource,
  LakeEmbedder,
  LakeStorage,
  LocalFiles,
  Summariser,
} from '../backends/interface.ts';
import type { MemoryType } from '../domain/document.ts';
import type { MemoryFilter } from '../domain/organise/memory-filter.ts';
import type { FolderSettings } from './folders/folder-sync.ts';
import type { MemoryStatus } from './memory-record.ts';

export interface MemoryLakeOptions {
  readonly storage: LakeStorage;
  readonly reader: FileReader;
  /** Without it, search uses keywords only, and says so. */
  readonly embedder?: LakeEmbedder | undefined;
  /** Closes the models, if the lake owns them. */
  readonly closeModels?: (() => Promise<void>) | undefined;
  /** A model for text in other languages, and for questions in another language than the text. */
  readonly multilingual?: LakeEmbedder | undefined;
  /** Creates the code runner; the arguments find files and tables of memories. */
  readonly runner: (find: FindFile, tables: FindTables) => CodeRunner;
  readonly charts: ChartRenderer;
  readonly summariser?: Summariser | undefined;
  /** Local files; without it, files cannot be added by path. */
  readonly files?: LocalFiles | undefined;
  /** Folders to watch, once `folders.start()` is called. */
  readonly folders?: { readonly source: FolderSource; readonly settings: readonly FolderSettings[] } | undefined;
  /** Larger files are rejected before they are stored. */
  readonly maxFileBytes?: number | undefined;
  /** Where HTTP clients reach the lake; needed for download links. */
  readonly baseUrl?: (() => string | undefined) | undefined;
  /** Former versions kept of each file; default 10. */
  readonly keepVersions?: number | undefined;
  readonly linkTtlSeconds?: number | undefined;
  readonly log?: Logger | undefined;
  readonly now?: (() => Date) | undefined;
}

export interface ListOptions extends MemoryFilter {
  readonly type?: MemoryType | undefined;
  readonly status?: MemoryStatus | undefined;
  readonly nameContains?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
