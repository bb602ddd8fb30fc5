import { type Logger, silentLogger } from '@atoll-mcp/core';
import { type AtollServer, ConfigError, createServer } from '@atoll-mcp/server';
import type { LakeEmbedder } from './backends/interface.ts';
import type { MultilingualSet } from './backends/multilingual-model.ts';
import type { MemoryLakeConfig } from './config.ts';
import { contract } from './contract.ts';
import { lakeRoutes } from './routes.ts';
import type { Lake } from './service/limits/lake.ts';
import { LimitedLake } from './service/limits/limited-lake.ts';
import { MemoryLakeService } from './service.ts';

export interface LakeParts {
  readonly log?: Logger;
  /** An embedder shared with other servers in the process; `null` for none. Unless given, the lake creates and closes its own. */
  readonly embedder?: LakeEmbedder | null;
  /** The multilingual model that goes with a given embedder. */
  readonly multilingual?: LakeEmbedder | undefined;
  readonly baseUrl?: () => string | undefined;
}

/** A lake without a server, for programs and commands. Files and models are opened on first use. */
export async function openLake(config: MemoryLakeConfig, parts: LakeParts = {}): Promise<MemoryLakeService> {
  checkConfig(config);
  const { log = silentLogger, baseUrl } = parts;
  // Imported here, so that importing the contract does not load databases, models or the sandbox.
  const {
    chooseCharts,
    chooseFiles,
    chooseFolders,
    chooseModels,
    chooseReader,
    chooseRunner,
    chooseStorage,
    chooseSummariser,
    limitsOf,
  } = await import('./backends/choose.ts');
  const own = parts.embedder === undefined ? chooseModels(config, log) : undefined;
  const { embedder, multilingual } = own ?? (config.embed ? parts : {});
  const lake = new MemoryLakeService({
    storage: chooseStorage(config),
    reader: chooseReader(config),
    embedder: embedder ?? undefined,
    multilingual,
    closeModels: own?.close,
    runner: chooseRunner,
    charts: chooseCharts(),
    summariser: chooseSummariser(config),
    files: chooseFiles(config),
    folders: chooseFolders(config),
    maxFileBytes: limitsOf(config).maxFileBytes,
    keepVersions: config.keepVersions,
    linkTtlSeconds: config.presignedTtlSeconds,
    baseUrl,
    log,
  });
  await lake.start();
  return lake;
}

/** Downloads a multilingual model if it is missing. The lake uses it the next time it is opened. */
export async function installMultilingual(
  { dataDir }: Pick<MemoryLakeConfig, 'dataDir'>,
  onProgress: (progress: { readonly step: string }) => void = () => {},
  name: MultilingualSet = 'multilingual-wide',
): Promise<void> {
  const { pullMultilingual } = await import('./backends/multilingual-model.ts');
  await pullMultilingual(dataDir, name, onProgress);
}

/** The lake as an MCP server. */
export function createMemoryLakeServer(config: MemoryLakeConfig, parts: LakeParts = {}): AtollServer<Lake> {
  checkConfig(config);
  let served: string | undefined;
  const baseUrl = () => config.publicUrl ?? served;
  const listeners = new Set<(id: string) => void>();
  const app = createServer<Lake>(contract, {
    service: {
      async open() {
        const lake = await openLake(config, { baseUrl, ...parts });
        lake.onChange((id) => {
          for (const listener of listeners) listener(id);
        });
        void lake.folders?.start().catch((error) => parts.log?.error('watching folders failed', { error }));
        return lake;
      },
      close: (lake) => opened(lake).close(),
    },
    serviceFor: (lake, { limits }) => (limits?.collections ? new LimitedLake(opened(lake), limits.collections) : lake),
    toolNames: config.toolNames,
    routes: lakeRoutes,
    onServed: (url) => {
      served = new URL('/', url).href;
    },
    onChange: (listener) => {
      const onMemory = (id: string) => {
        listener({ kind: 'resources' });
        listener({ kind: 'resource', uri: `memory://${id}` });
      };
      listeners.add(onMemory);
      return () => listeners.delete(onMemory);
    },
    ...(parts.log && { log: parts.log }),
  });
  // Watched folders need the lake right away, not at the first call.
  if (config.folders.length > 0) app.service().catch((error) => parts.log?.error('lake not opened', { error }));
  return app;
}

/** The lake that `open` returned; callers may see it through a `LimitedLake`. */
const opened = (lake: Lake): MemoryLakeService => lake as MemoryLakeService;

function checkConfig({ summaryUrl, summaryModel }: MemoryLakeConfig): void {
  if ((summaryUrl === undefined) !== (summaryModel === undefined)) {
    throw new ConfigError(['--summary-url and --summary-model: give both or neither']);
  }
}
