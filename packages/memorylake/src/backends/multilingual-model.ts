import { basename, dirname, join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { createEmbedder, type Embedder, ModelStore, type PullProgress, pullModel } from '@atoll-mcp/cortex-embeddings';

/** Multilingual sets, best first; the first installed one is used. */
const NAMES = ['multilingual-wide', 'multilingual'] as const;
export type MultilingualSet = (typeof NAMES)[number];

/** Undefined if none is installed. */
export function openMultilingual(
  dataDir: string,
  { workers, log }: { workers: number; log: Logger },
): Embedder | undefined {
  const modelDir = modelFolder(dataDir);
  const store = new ModelStore(modelDir);
  const installed = NAMES.map((name) => store.find(name)).find((model) => model !== undefined);
  return installed && createEmbedder({ workers, modelDir, model: installed.name, log });
}

/** Sets to download. If models are shared with an aggregator, also the quick one, which its tool search uses. */
export const setsToPull = (dataDir: string, name: MultilingualSet): readonly MultilingualSet[] =>
  name === 'multilingual-wide' && isShared(dataDir) ? NAMES : [name];

/** Downloads missing sets. */
export async function pullMultilingual(
  dataDir: string,
  name: MultilingualSet,
  onProgress: (progress: PullProgress) => void,
): Promise<void> {
  const store = new ModelStore(modelFolder(dataDir));
  for (const each of setsToPull(dataDir, name)) if (!store.find(each)) await pullModel(store, each, { onProgress });
}

const isShared = (dataDir: string): boolean => basename(dataDir) === 'memorylake';

/** A lake in the default folder shares the model folder of cortex-embeddings. */
const modelFolder = (dataDir: string): string =>
  isShared(dataDir) ? join(dirname(dataDir), 'cortex-embeddings', 'models') : join(dataDir, 'models');
