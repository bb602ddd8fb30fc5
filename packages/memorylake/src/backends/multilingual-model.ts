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

/** What a set-up gets. Where models are shared, the search for tools of the aggregator has the quick one too, which finds more of them. */
export const setsToPull = (dataDir: string, name: MultilingualSet): readonly MultilingualSet[] =>
  name === 'multilingual-wide' && isShared(dataDir) ? NAMES : [name];

/** Downloads what is not there yet. */
export async function pullMultilingual(
  dataDir: string,
  name: MultilingualSet,
  onProgress: (progress: PullProgress) => void,
): Promise<void> {
  const store = new ModelStore(modelFolder(dataDir));
  for (const each of setsToPull(dataDir, name)) if (!store.find(each)) await pullModel(store, each, { onProgress });
}

const isShared = (dataDir: string): boolean => basename(dataDir) === 'memorylake';

/** Beside a lake of the usual name, where cortex-embeddings keeps its models: one download is for both. */
const modelFolder = (dataDir: string): string =>
  isShared(dataDir) ? join(dirname(dataDir), 'cortex-embeddings', 'models') : join(dataDir, 'models');
