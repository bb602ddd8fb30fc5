import { join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import type { Embedder } from '@atoll-mcp/cortex-embeddings';
import { configFor } from './builtin.ts';

interface EmbedderSource {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly log: Logger;
}

/** One embedder for every server that needs one, so that the model is in memory once. */
export class SharedEmbedder {
  #made: Promise<Embedder> | undefined;

  /** Nothing is loaded before the first text. */
  get(source: EmbedderSource): Promise<Embedder> {
    this.#made ??= make(source);
    return this.#made;
  }

  async close(): Promise<void> {
    await (await this.#made?.catch(() => undefined))?.close();
  }
}

async function make({ env, dataDir, log }: EmbedderSource): Promise<Embedder> {
  const { configDefinition, createEmbedder } = await import('@atoll-mcp/cortex-embeddings');
  const config = configFor(configDefinition, 'cortex-embeddings', { env, dataDir, settings: {} });
  return createEmbedder({ ...config, modelDir: join(config.dataDir, 'models'), log });
}
