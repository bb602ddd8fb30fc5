import type { Logger } from '@atoll-mcp/core';
import { minilm, minilmIdentity, type Precision } from '../domain/minilm.ts';
import type { EmbeddingBackend } from './interface.ts';
import { WorkerPool } from './minilm-pool.ts';
import type { Runtime } from './minilm-session.ts';

export interface OnnxSettings {
  readonly precision: Precision;
  /** `auto` takes the native binding where it loads, and WebAssembly elsewhere. */
  readonly runtime: Runtime | 'auto';
  readonly workers: number;
  readonly modelDir?: string | undefined;
  readonly log: Logger;
}

/** The model that comes with the package, in threads of its own so that nothing else ever waits for it. */
export function onnxBackend({ precision, runtime, workers, modelDir, log }: OnnxSettings): EmbeddingBackend {
  let active: Runtime | undefined;
  let nativeProblem: string | undefined;
  const pool = new WorkerPool(workers, { precision, runtime, modelDir }, (report) => {
    if (!active) log.info('model loaded', { model: minilm.name, precision, runtime: report.runtime });
    if (report.notKept) log.warn('graph not kept for the next start', { modelDir, problem: report.notKept });
    if (report.nativeProblem) log.warn('native runtime not usable', { problem: report.nativeProblem });
    active = report.runtime;
    nativeProblem = report.nativeProblem;
  });
  return {
    model: {
      name: minilm.name,
      identity: minilmIdentity(precision),
      dimensions: minilm.width,
      maxTokens: minilm.maxTokens,
      prompts: { query: '', passage: '' },
    },
    lanes: workers,
    // A run is what an interactive call may have to wait for: one long text, or a few short ones.
    perRun: { texts: 8, characters: 1_000 },
    state: () => ({
      name: active ?? (runtime === 'auto' ? 'onnx' : runtime),
      loaded: active !== undefined,
      notes: { precision, workers, ...(nativeProblem === undefined ? {} : { native_runtime: 'not usable' }) },
    }),
    load: () => pool.load(),
    embed: (texts, { normalize }) => pool.embed(texts, normalize),
    countTokens: (texts) => pool.count(texts),
    close: () => pool.close(),
  };
}
