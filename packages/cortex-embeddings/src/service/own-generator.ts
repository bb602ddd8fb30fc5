import { ToolError } from '@atoll-mcp/core';
import type { EmbeddingBackend } from '../backends/interface.ts';
import type { EmbeddingGenerator, GenerateOptions } from '../domain/generator.ts';
import { unitVector } from '../domain/vector.ts';
import { generatorFailed, wrongVectors } from '../errors.ts';

/** A caller's own generator in the place of a backend. */
export function generatorBackend(generator: EmbeddingGenerator): EmbeddingBackend {
  const own = typeof generator === 'function' ? { generate: generator } : generator;
  const name = own.modelName ?? 'custom';
  const backend = own.backend ?? 'generator';
  let dimensions = own.dimensions ?? 0;
  return {
    get model() {
      return { name, identity: `${backend}/${name}`, dimensions, maxTokens: null, prompts: { query: '', passage: '' } };
    },
    maxConcurrentRuns: 1,
    // Only the generator knows its best batch size.
    perRun: { texts: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY },
    state: () => ({ name: backend, loaded: true, notes: {} }),
    load: async () => {},
    async embed(texts, options) {
      const vectors = (await generate(texts, options)).map((values) => Float32Array.from(values));
      dimensions ||= vectors[0]?.length ?? 0;
      if (vectors.some((vector) => vector.some((value) => !Number.isFinite(value)))) {
        throw wrongVectors('values that are not numbers');
      }
      return vectors.map((vector) => ({
        vector: Float32Array.from(options.normalize ? unitVector(vector) : vector),
        tokens: null,
        truncated: false,
      }));
    },
    close: async () => {},
  };

  async function generate(texts: readonly string[], options: GenerateOptions) {
    try {
      return await own.generate(texts, options);
    } catch (error) {
      throw error instanceof ToolError || options.signal.aborted ? error : generatorFailed(error);
    }
  }
}
