import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import type { KnownModel } from '../domain/models/model-registry.ts';
import type { EmbeddingBackend } from './interface.ts';
import type { TransformersWorkerSettings } from './workers/transformers-worker.ts';
import { WorkerPool } from './workers/worker-pool.ts';

interface TransformersSettings {
  readonly model: string;
  readonly modelPath?: string | undefined;
  readonly allowDownloads: boolean;
  readonly dtype: string;
  readonly facts: KnownModel;
  readonly log: Logger;
}

/** Any model that `@huggingface/transformers`, or `@xenova/transformers` where that is installed, can run. */
export function transformersBackend(backend: TransformersSettings): EmbeddingBackend {
  const { model, modelPath, allowDownloads, dtype, facts, log } = backend;
  const { pooling, maxTokens } = facts;
  const settings: TransformersWorkerSettings = { model, modelPath, allowDownloads, dtype, pooling, maxTokens };
  // The library runs a model on all cores by itself.
  const pool = new WorkerPool({ size: 1, program: 'transformers-worker', settings, log });
  const file = fingerprint(modelPath, model, dtype);
  return {
    model: {
      name: model,
      identity: `transformers/${model}/${file}/${dtype}/${pooling}/${maxTokens}-tokens`,
      ...facts,
    },
    maxConcurrentRuns: 1,
    perRun: { texts: 8, characters: 1_000 },
    state: () => ({
      name: 'transformers',
      loaded: pool.report !== undefined,
      notes: { dtype, pooling, ...pool.report?.notes },
    }),
    load: () => pool.load(),
    embed: (texts, { normalize }) => pool.embed(texts, normalize),
    countTokens: (texts) => pool.count(texts),
    close: () => pool.close(),
  };
}

/** What tells two local copies of a model apart; models from the network are told apart by their name alone. */
function fingerprint(modelPath: string | undefined, model: string, dtype: string): string {
  if (!modelPath) return 'remote';
  const name = dtype === 'q8' ? 'model_quantized' : dtype === 'fp32' ? 'model' : `model_${dtype}`;
  const path = join(modelPath, model, 'onnx', `${name}.onnx`);
  if (!existsSync(path)) return 'remote';
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
}
