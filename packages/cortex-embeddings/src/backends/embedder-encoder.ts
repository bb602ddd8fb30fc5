import type { Logger } from '@atoll-mcp/core';
import { type InstalledModel, identityOf } from '../domain/models/installed-model.ts';
import { unrelatedCosineOf } from '../domain/models/model-registry.ts';
import type { EmbeddingBackend } from './interface.ts';
import type { EncoderSettings } from './onnx/encoder-worker.ts';
import { WorkerPool } from './workers/worker-pool.ts';

export interface EncoderBackendSettings extends EncoderSettings {
  readonly workers: number;
  readonly log: Logger;
}

/** A model that was pulled, in threads of its own. */
export function encoderBackend({ folder, model, runtime, workers, log }: EncoderBackendSettings): EmbeddingBackend {
  const settings: EncoderSettings = { folder, model, runtime };
  const pool = new WorkerPool({ size: workers, program: 'encoder-worker', settings, log });
  return {
    model: modelFacts(model),
    maxConcurrentRuns: 2 * workers,
    perRun: { texts: 16, characters: 1_000, spread: true },
    state: () => ({
      name: pool.report?.backend ?? (runtime === 'auto' ? 'onnx' : runtime),
      loaded: pool.report !== undefined,
      notes: { workers, ...pool.report?.notes },
    }),
    load: () => pool.load(),
    embed: (texts, { normalize }) => pool.embed(texts, normalize),
    countTokens: (texts) => pool.count(texts),
    close: () => pool.close(),
  };
}

const modelFacts = (model: InstalledModel): EmbeddingBackend['model'] => ({
  name: model.name,
  identity: identityOf(model),
  dimensions: model.dimensions,
  maxTokens: model.maxTokens,
  prompts: model.prompts,
  ...(isListed(model) && { languages: model.languages }),
  unrelatedCosine: unrelatedCosineOf(model.name),
});

const isListed = ({ languages }: InstalledModel): boolean => languages.length > 0 && !languages.includes('*');
