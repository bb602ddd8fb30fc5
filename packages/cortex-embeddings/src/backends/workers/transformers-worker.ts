import type { EmbeddedText } from '../../domain/embedded-text.ts';
import { ModelProblem } from '../model-problem.ts';
import { type LoadedModel, runWorker } from './worker-program.ts';

export interface TransformersWorkerSettings {
  /** As on Hugging Face (`Xenova/gte-small`), or a folder below `modelPath`. */
  readonly model: string;
  readonly modelPath?: string | undefined;
  readonly allowDownloads: boolean;
  /** `q8`, `fp32`, `fp16`: which file of the model is used. */
  readonly dtype: string;
  readonly pooling: string;
  readonly maxTokens: number;
}

/** The part of both libraries that is used here; it is the same in each. */
interface Extractor {
  (texts: string[], options: { pooling: string; normalize: boolean }): Promise<{ data: ArrayLike<number> }>;
  tokenizer: Tokenizer;
}

interface Tokenizer {
  (text: string, options?: object): { input_ids: { size: number } };
  readonly model_max_length?: number;
}

interface TransformersLibrary {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>;
}

await runWorker(load);

async function load(settings: TransformersWorkerSettings): Promise<LoadedModel> {
  const { pooling, dtype } = settings;
  const { name, library } = await importLibrary();
  const extractor = await openExtractor(name, library, settings);
  const maxTokens = limitTokens(extractor.tokenizer, settings.maxTokens);
  const count = (text: string) => {
    const tokens = extractor.tokenizer(text, { truncation: false }).input_ids.size;
    return { tokens, truncated: tokens > maxTokens };
  };
  return {
    report: { backend: 'transformers', notes: { library: name, dtype }, warnings: [] },
    // One text at a time: in a batch of a quantised model a vector would depend on its neighbours.
    async embed(texts, normalize) {
      const embedded: EmbeddedText[] = [];
      for (const text of texts) {
        const { data } = await extractor([text], { pooling, normalize });
        embedded.push({ vector: Float32Array.from(data), ...count(text) });
      }
      return embedded;
    },
    count,
  };
}

async function importLibrary(): Promise<{ name: string; library: TransformersLibrary }> {
  const broken: { name: string; error: unknown }[] = [];
  for (const name of ['@huggingface/transformers', '@xenova/transformers']) {
    try {
      return { name, library: await import(name) };
    } catch (error) {
      // The next one may be there.
      if (!isMissing(error, name)) broken.push({ name, error });
    }
  }
  const remedy = 'Run: npm install @huggingface/transformers';
  const [first] = broken;
  if (!first) throw new ModelProblem('no transformers library is installed', remedy);
  throw new ModelProblem(
    `${first.name} is installed, but does not load`,
    `The log of the server says why. ${remedy}`,
    first.error,
  );
}

/** Whether the library itself is not there, and not something it needs. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`);
}

async function openExtractor(
  name: string,
  { env, pipeline }: TransformersLibrary,
  { model, modelPath, allowDownloads, dtype }: TransformersWorkerSettings,
): Promise<Extractor> {
  env.allowRemoteModels = allowDownloads;
  env.allowLocalModels = true;
  if (modelPath) env.localModelPath = modelPath;
  // The older library knows only whether a model is quantised.
  const options = name === '@xenova/transformers' ? { quantized: dtype === 'q8' } : { dtype };
  return pipeline('feature-extraction', model, options).catch((cause: unknown) => {
    const remedy = allowDownloads ? 'Check its name' : 'Put it below --model-path, or allow --model-downloads';
    throw new ModelProblem(`"${model}" cannot be opened`, remedy, cause);
  });
}

/** What is reported as cut must be what is cut, also where the tokenizer's own limit is another. */
function limitTokens(tokenizer: Tokenizer, wanted: number): number {
  const value = Math.min(wanted, tokenizer.model_max_length ?? Number.POSITIVE_INFINITY);
  Object.defineProperty(tokenizer, 'model_max_length', { value });
  return value;
}
