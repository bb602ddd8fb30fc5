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
  /** Left out, the lake is searched by keywords, and says so. */
  readonly embedder?: LakeEmbedder | undefined;
  /** Called when the lake closes, where the models are its own. */
  readonly closeModels?: (() => Promise<void>) | undefined;
  /** A model for what is not English, and for questions in another language than the text. */
  readonly multilingual?: LakeEmbedder | undefined;
  /** Given how to find a memory's file and tables, makes what runs code. */
  readonly runner: (find: FindFile, tables: FindTables) => CodeRunner;
  readonly charts: ChartRenderer;
  readonly summariser?: Summariser | undefined;
  /** Files of this machine; left out, none can be added by path. */
  readonly files?: LocalFiles | undefined;
  /** Folders to keep in step with, once `folders.start()` is called. */
  readonly folders?: { readonly source: FolderSource; readonly settings: readonly FolderSettings[] } | undefined;
  /** A larger file is refused before it is stored. */
  readonly maxFileBytes?: number | undefined;
  /** Where HTTP clients reach the lake, once they do; links need it. */
  readonly baseUrl?: (() => string | undefined) | undefined;
  /** Former versions of each file that are kept; 10 unless given. */
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
