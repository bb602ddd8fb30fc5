import { type Logger, silentLogger } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { DEFAULT_MODEL, resolveModelName } from '../domain/models/model-catalog.ts';
import { findModel, type KnownModel } from '../domain/models/model-registry.ts';
import { encoderBackend } from './embedder-encoder.ts';
import { onnxBackend } from './embedder-onnx.ts';
import { openAiBackend } from './embedder-openai.ts';
import { transformersBackend } from './embedder-transformers.ts';
import type { EmbeddingBackend } from './interface.ts';
import { ModelStore } from './models/model-store.ts';

export interface EmbedderSettings {
  /** `auto` is the built-in model, native where possible and else in WebAssembly. */
  readonly backend?: 'auto' | 'onnx' | 'wasm' | 'transformers' | 'openai' | undefined;
  /** Of the built-in model. */
  readonly precision?: 'int8' | 'fp32' | undefined;
  /** Threads for the built-in model. */
  readonly workers?: number | undefined;
  /** Where the graph of the built-in model is kept between starts; left out, nothing is written. */
  readonly modelDir?: string | undefined;
  /** A model of the catalogue that was pulled into `modelDir`, or one of the `transformers` or `openai` backend. */
  readonly model?: string | undefined;
  readonly modelPath?: string | undefined;
  readonly modelDownloads?: boolean | undefined;
  readonly modelDtype?: string | undefined;
  /** For models that are not in the registry. */
  readonly modelDimensions?: number | undefined;
  readonly openaiUrl?: string | undefined;
  readonly openaiApiKey?: string | undefined;
  readonly log?: Logger | undefined;
}

export function chooseBackend(settings: EmbedderSettings): EmbeddingBackend {
  const { backend = 'auto', precision = 'int8', workers = 2, modelDir, log = silentLogger } = settings;
  if (backend === 'transformers') {
    const { modelPath, modelDownloads: allowDownloads = false, modelDtype: dtype = 'q8' } = settings;
    const { model, facts } = namedModel(settings);
    return transformersBackend({ model, modelPath, allowDownloads, dtype, facts, log });
  }
  if (backend === 'openai') {
    const { openaiUrl: url = 'https://api.openai.com/v1', openaiApiKey: apiKey } = settings;
    return openAiBackend({ url, apiKey, ...namedModel(settings) });
  }
  const store = modelDir === undefined ? undefined : new ModelStore(modelDir);
  const name = resolveModelName(settings.model ?? store?.active() ?? DEFAULT_MODEL);
  if (name === DEFAULT_MODEL) return onnxBackend({ precision, runtime: backend, workers, modelDir, log });
  const installed = store?.find(name);
  if (!store || installed?.kind !== 'embedding') {
    throw new ConfigError([`--model: "${name}" is not installed; run: cortex-embeddings models pull ${name}`]);
  }
  return encoderBackend({ model: installed, folder: store.folderOf(installed), runtime: backend, workers, log });
}

/** The model by its name, with what the registry or the settings know of it. */
function namedModel({ backend, model, modelDimensions }: EmbedderSettings): { model: string; facts: KnownModel } {
  if (!model) throw new ConfigError([`--model: the ${backend} backend needs the name of a model`]);
  const known = findModel(model);
  const dimensions = modelDimensions ?? known?.dimensions;
  if (!dimensions)
    throw new ConfigError([`--model-dimensions: "${model}" is not in the registry, so say how many it has`]);
  const unknown: Omit<KnownModel, 'dimensions'> = {
    maxTokens: 512,
    pooling: 'mean',
    prompts: { query: '', passage: '' },
  };
  return { model, facts: { ...unknown, ...known, dimensions } };
}
