import { basename, dirname, join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { createEmbedder, type Embedder, ModelStore, type PullProgress, pullModel } from '@atoll-mcp/cortex-embeddings';

/** The sets that cross languages; of those that were pulled, the one that knows the most is used. */
const NAMES = ['multilingual-wide', 'multilingual'] as const;
export type MultilingualSet = (typeof NAMES)[number];

/** Nothing where none was pulled. */
export function openMultilingual(
  dataDir: string,
  { workers, log }: { workers: number; log: Logger },
): Embedder | undefined {
  const modelDir = modelFolder(dataDir);
  const store = new ModelStore(modelDir);
  const installed = NAMES.map((name) => store.find(name)).find((model) => model !== undefined);
  return installed && createEmbedder({ workers, modelDir, model: installed.name, log });
}

/** Downloads it, unless it is there. */
export async function pullMultilingual(
  dataDir: string,
  name: MultilingualSet,
  onProgress: (progress: PullProgress) => void,
): Promise<void> {
  const store = new ModelStore(modelFolder(dataDir));
  if (!store.find(name)) await pullModel(store, name, { onProgress });
}

/** Beside a lake of the usual name, where cortex-embeddings keeps its models: one download is for both. */
const modelFolder = (dataDir: string): string =>
  basename(dataDir) === 'memorylake' ? join(dirname(dataDir), 'cortex-embeddings', 'models') : join(dataDir, 'models');
