import type { Logger } from '@atoll-mcp/core';
import { minilm, minilmIdentity } from '../domain/graphs/minilm.ts';
import type { EmbeddingBackend } from './interface.ts';
import type { MinilmSettings } from './onnx/minilm-worker.ts';
import { WorkerPool } from './workers/worker-pool.ts';

export interface OnnxSettings extends MinilmSettings {
  readonly workers: number;
  readonly log: Logger;
}

/** The model that comes with the package, in threads of its own so that nothing else ever waits for it. */
export function onnxBackend({ precision, runtime, workers, modelDir, log }: OnnxSettings): EmbeddingBackend {
  const settings: MinilmSettings = { precision, runtime, modelDir };
  const pool = new WorkerPool({ size: workers, program: 'minilm-worker', settings, log });
  return {
    model: {
      name: minilm.name,
      identity: minilmIdentity(precision),
      dimensions: minilm.width,
      maxTokens: minilm.maxTokens,
      prompts: { query: '', passage: '' },
    },
    // With its next run already queued, a thread does not go idle between two and its caches stay warm.
    maxConcurrentRuns: 2 * workers,
    // A run is what an interactive call may have to wait for: one long text, or a few short ones.
    perRun: { texts: 16, characters: 1_000, spread: true, byLength: precision === 'int8' },
    state: () => ({
      name: pool.report?.backend ?? (runtime === 'auto' ? 'onnx' : runtime),
      loaded: pool.report !== undefined,
      notes: { precision, workers, ...pool.report?.notes },
    }),
    load: () => pool.load(),
    embed: (texts, { normalize }) => pool.embed(texts, normalize),
    countTokens: (texts) => pool.count(texts),
    close: () => pool.close(),
  };
}
