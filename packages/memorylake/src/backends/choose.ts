import { resolve } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { createEmbedder, type Embedder } from '@atoll-mcp/cortex-embeddings';
import { createJavaScriptRuntime, createPythonRuntime, createSqlRuntime } from '@atoll-mcp/sandbox';
import { openStorage } from '@atoll-mcp/storage';
import type { MemoryLakeConfig } from '../config.ts';
import { defaultLimits, type ReadLimits } from '../domain/document.ts';
import { withLocalCopies } from './blobs-local-copies.ts';
import { ChartProcess } from './charts/chart-process.ts';
import { localFiles } from './files-local.ts';
import { localFolders } from './folders/folders-local.ts';
import type {
  ChartRenderer,
  CodeRunner,
  FileReader,
  FindFile,
  FindTables,
  LakeStorage,
  LocalFiles,
  Summariser,
} from './interface.ts';
import { openMultilingual } from './multilingual-model.ts';
import type { OcrSettings } from './ocr/interface.ts';
import { ocrFolder } from './ocr/model-files.ts';
import { ProcessReader } from './reader-processes.ts';
import { SandboxRunner } from './runner-sandbox.ts';
import { openAiSummariser } from './summariser-openai.ts';

const MEBIBYTE = 2 ** 20;

/** Adds local copies to storage without local files. */
export const chooseStorage = ({ dataDir, storage, blobStorage }: MemoryLakeConfig): LakeStorage =>
  withLocalCopies(
    openStorage({ dataDir, url: storage, blobUrl: blobStorage, namespace: 'memorylake' }),
    `${dataDir}/copies`,
  );

export const chooseReader = (config: MemoryLakeConfig): FileReader =>
  new ProcessReader({ limits: limitsOf(config), ocr: ocrSettingsOf(config), processes: config.readers });

/** The folders of the configuration, by their full paths. */
export const chooseFolders = ({ folders }: MemoryLakeConfig) => ({
  source: localFolders,
  settings: folders.map((folder) => ({ ...folder, path: resolve(folder.path) })),
});

export const chooseFiles = ({ importRoot }: MemoryLakeConfig): LocalFiles => localFiles(importRoot);

/** The model that ships with cortex-embeddings, and the multilingual one if it was pulled, unless the lake runs on keywords alone. */
export function chooseModels(config: MemoryLakeConfig, log: Logger = silentLogger): OwnModels {
  if (!config.embed) return { embedder: undefined, multilingual: undefined, close: async () => {} };
  const { embedWorkers: workers, dataDir } = config;
  const embedder = createEmbedder({ workers, modelDir: `${dataDir}/model`, log });
  const multilingual = openMultilingual(dataDir, { workers, log });
  return {
    embedder,
    multilingual,
    close: async () => {
      await Promise.all([embedder.close(), multilingual?.close()]);
    },
  };
}

interface OwnModels {
  readonly embedder: Embedder | undefined;
  readonly multilingual: Embedder | undefined;
  close(): Promise<void>;
}

export function chooseSummariser({
  summaryUrl,
  summaryModel,
  summaryApiKey,
}: MemoryLakeConfig): Summariser | undefined {
  if (summaryUrl === undefined || summaryModel === undefined) return undefined;
  return openAiSummariser({ url: summaryUrl, model: summaryModel, apiKey: summaryApiKey });
}

const ocrSettingsOf = ({ dataDir, ocrPages }: MemoryLakeConfig): OcrSettings => ({
  folder: ocrFolder(dataDir),
  maxPages: ocrPages,
  setUp: `npx @atoll-mcp/memorylake setup-ocr --data-dir ${/\s/.test(dataDir) ? JSON.stringify(dataDir) : dataDir}`,
});

export function limitsOf(config: MemoryLakeConfig): ReadLimits {
  return {
    ...defaultLimits,
    maxFileBytes: config.maxFileMb * MEBIBYTE,
    maxExpandedBytes: config.maxExpandedMb * MEBIBYTE,
    maxRows: config.maxRows,
    maxPages: config.maxPages,
    maxSeconds: config.maxReadSeconds,
  };
}

/** Starts a process at the first chart. */
export const chooseCharts = (): ChartRenderer => new ChartProcess();

/** Sandboxes, started on first use. */
export const chooseRunner = (find: FindFile, tables: FindTables): CodeRunner =>
  new SandboxRunner(
    { python: () => createPythonRuntime(), javascript: () => createJavaScriptRuntime(), sql: () => createSqlRuntime() },
    find,
    tables,
  );
