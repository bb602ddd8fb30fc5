import { basename, dirname, join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { createEmbedder, type Embedder, ModelStore, type PullProgress, pullModel } from '@atoll-mcp/cortex-embeddings';

const NAME = 'multilingual';

/** Nothing where it was not pulled. */
export function openMultilingual(
  dataDir: string,
  { workers, log }: { workers: number; log: Logger },
): Embedder | undefined {
  const modelDir = modelFolder(dataDir);
  const installed = new ModelStore(modelDir).find(NAME);
  return installed && createEmbedder({ workers, modelDir, model: installed.name, log });
}

/** Downloads it, unless it is there. */
export async function pullMultilingual(dataDir: string, onProgress: (progress: PullProgress) => void): Promise<void> {
  const store = new ModelStore(modelFolder(dataDir));
  if (!store.find(NAME)) await pullModel(store, NAME, { onProgress });
}

/** Beside a lake of the usual name, where cortex-embeddings keeps its models: one download is for both. */
const modelFolder = (dataDir: string): string =>
  basename(dataDir) === 'memorylake' ? join(dirname(dataDir), 'cortex-embeddings', 'models') : join(dataDir, 'models');
