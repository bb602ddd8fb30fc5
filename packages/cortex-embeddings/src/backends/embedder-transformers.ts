import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownModel } from '../domain/model-registry.ts';
import { modelUnavailable } from '../errors.ts';
import type { EmbeddingBackend } from './interface.ts';

export interface TransformersSettings {
  /** As on Hugging Face (`Xenova/gte-small`), or a folder below `modelPath`. */
  readonly model: string;
  readonly modelPath?: string | undefined;
  readonly allowDownloads: boolean;
  /** `q8`, `fp32`, `fp16`: which file of the model is used. */
  readonly dtype: string;
  readonly facts: KnownModel;
}

/** The part of both libraries that is used here; it is the same in each. */
interface Extractor {
  (texts: string[], options: { pooling: string; normalize: boolean }): Promise<{ data: ArrayLike<number> }>;
  tokenizer(text: string, options?: object): { input_ids: { size: number } };
}

interface TransformersLibrary {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>;
}

/** Any model that `@huggingface/transformers`, or `@xenova/transformers` where that is installed, can run. */
export function transformersBackend(settings: TransformersSettings): EmbeddingBackend {
  const { model, modelPath, dtype, facts } = settings;
  let extractor: Promise<Extractor> | undefined;
  let library = 'not loaded';
  let isLoaded = false;

  const load = () => {
    extractor ??= open(settings, (name) => {
      library = name;
    }).then(
      (opened) => {
        isLoaded = true;
        return opened;
      },
      (error: unknown) => {
        extractor = undefined;
        throw error;
      },
    );
    return extractor;
  };
  const count = (opened: Extractor, text: string) => {
    const tokens = opened.tokenizer(text, { truncation: false }).input_ids.size;
    return { tokens, truncated: tokens > facts.maxTokens };
  };

  return {
    model: {
      name: model,
      identity: `transformers/${model}/${fingerprint(modelPath, model, dtype)}/${dtype}/${facts.pooling}/${facts.maxTokens}-tokens`,
      ...facts,
    },
    lanes: 1,
    // One text per run: in a batch of a quantised model a vector would depend on its neighbours.
    perRun: { texts: 1, characters: Number.POSITIVE_INFINITY },
    state: () => ({ name: 'transformers', loaded: isLoaded, notes: { library, dtype } }),
    load: async () => {
      await load();
    },
    async embed(texts, { normalize }) {
      const opened = await load();
      const embedded = [];
      for (const text of texts) {
        const { data } = await opened([text], { pooling: facts.pooling, normalize });
        embedded.push({ vector: Float32Array.from(data), ...count(opened, text) });
      }
      return embedded;
    },
    async countTokens(texts) {
      const opened = await load();
      return texts.map((text) => count(opened, text));
    },
    close: async () => {},
  };
}

async function open(settings: TransformersSettings, onLibrary: (name: string) => void): Promise<Extractor> {
  const { name, library } = await importLibrary();
  onLibrary(name);
  library.env.allowRemoteModels = settings.allowDownloads;
  library.env.allowLocalModels = true;
  if (settings.modelPath) library.env.localModelPath = settings.modelPath;
  // The older library knows only whether a model is quantised.
  const options = name === '@xenova/transformers' ? { quantized: settings.dtype === 'q8' } : { dtype: settings.dtype };
  return library.pipeline('feature-extraction', settings.model, options).catch((cause: unknown) => {
    const remedy = settings.allowDownloads
      ? 'Check the name of the model'
      : 'Put it below --model-path, or allow --model-downloads';
    throw modelUnavailable(`"${settings.model}" cannot be opened`, remedy, cause);
  });
}

async function importLibrary(): Promise<{ name: string; library: TransformersLibrary }> {
  for (const name of ['@huggingface/transformers', '@xenova/transformers']) {
    try {
      return { name, library: await import(name) };
    } catch {
      // The next one may be there.
    }
  }
  throw modelUnavailable('no transformers library is installed', 'Run: npm install @huggingface/transformers');
}

/** What tells two local copies of a model apart; models from the network are told apart by their name alone. */
function fingerprint(modelPath: string | undefined, model: string, dtype: string): string {
  if (!modelPath) return 'remote';
  const names = dtype === 'q8' ? ['model_quantized'] : dtype === 'fp32' ? ['model'] : [`model_${dtype}`];
  const path = names.map((name) => join(modelPath, model, 'onnx', `${name}.onnx`)).find((each) => existsSync(each));
  return path ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12) : 'remote';
}
