import { join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import type { Embedder, ModelLibrary } from '@atoll-mcp/cortex-embeddings';
import type { EmbeddingModel } from '../search/vector-cache.ts';
import { configFor } from './builtin.ts';

interface EmbedderSource {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly log: Logger;
}

/** One embedder for every server that needs one, so that the model is in memory once. */
export class SharedEmbedder {
  #made: Promise<Embedder> | undefined;
  #library: Promise<ModelLibrary> | undefined;

  /** Nothing is loaded before the first text. */
  get(source: EmbedderSource): Promise<Embedder> {
    this.#made ??= make(source);
    return this.#made;
  }

  /** The multilingual model for a lake, if one is installed: the one of most languages. */
  async multilingual(source: EmbedderSource): Promise<Embedder | undefined> {
    const library = await this.#models(source);
    return library.embedder('multilingual-wide') ?? library.embedder('multilingual');
  }

  /** The model in use, and a multilingual one if any is installed; the quick one before the other: tools are many, and searched while someone waits. */
  async models(source: EmbedderSource): Promise<readonly EmbeddingModel[]> {
    const active = await this.get(source);
    const library = await this.#models(source);
    const multilingual = library.embedder('multilingual') ?? library.embedder('multilingual-wide');
    const others = multilingual && multilingual !== active ? [multilingual] : [];
    return [active, ...others].map((embedder) => {
      const { prompts, unrelatedCosine } = embedder.model;
      return {
        identity: embedder.identity,
        embed: (texts, options) => {
          const prompt = options?.priority === 'bulk' ? prompts.passage : prompts.query;
          return embedder.embed(prompt === '' ? texts : texts.map((text) => prompt + text), options);
        },
        isMultilingual: embedder === multilingual,
        unrelatedCosine,
      };
    });
  }

  async #models(source: EmbedderSource): Promise<ModelLibrary> {
    const active = await this.get(source);
    this.#library ??= openLibrary(source, active);
    return this.#library;
  }

  async close(): Promise<void> {
    await (await this.#library?.catch(() => undefined))?.close();
    await (await this.#made?.catch(() => undefined))?.close();
  }
}

async function make({ env, dataDir, log }: EmbedderSource): Promise<Embedder> {
  const { configDefinition, createEmbedder } = await import('@atoll-mcp/cortex-embeddings');
  const config = configFor(configDefinition, 'cortex-embeddings', { env, dataDir, settings: {} });
  return createEmbedder({ ...config, modelDir: join(config.dataDir, 'models'), log });
}

async function openLibrary({ env, dataDir, log }: EmbedderSource, active: Embedder): Promise<ModelLibrary> {
  const { configDefinition, createModelLibrary } = await import('@atoll-mcp/cortex-embeddings');
  const config = configFor(configDefinition, 'cortex-embeddings', { env, dataDir, settings: {} });
  const { precision, workers } = config;
  const modelDir = join(config.dataDir, 'models');
  return createModelLibrary({ modelDir, runtime: 'auto', precision, workers, active, log });
}
