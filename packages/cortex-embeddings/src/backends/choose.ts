import { type Logger, silentLogger } from '@atoll-mcp/core';
import { onnxBackend } from './embedder-onnx.ts';
import type { EmbeddingBackend } from './interface.ts';

export interface EmbedderSettings {
  /** `auto` is the built-in model, native where possible. */
  readonly backend?: 'auto' | 'onnx' | 'wasm';
  readonly precision?: 'int8' | 'fp32';
  /** Threads with one copy of the model each. */
  readonly workers?: number;
  /** Where the built graph is kept between starts; left out, nothing is written. */
  readonly modelDir?: string;
  readonly log?: Logger;
}

export function chooseBackend(settings: EmbedderSettings): EmbeddingBackend {
  const { backend = 'auto', precision = 'int8', workers = 2, modelDir, log = silentLogger } = settings;
  return onnxBackend({ precision, runtime: backend, workers, modelDir, log });
}
