import { join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { openStorage } from '@atoll-mcp/storage';
import type { Settings } from '../config.ts';
import type { Language } from '../schemas.ts';
import { ThreadComparer } from './comparer-threads.ts';
import { LocalFiles } from './files-local.ts';
import type { Backends, ModelItem, TensorItem } from './interface.ts';
import { ProcessParser } from './parser-process.ts';
import { OpenAiPlanner } from './planner-openai.ts';
import { ProcessOnnxRunner } from './runner-onnx.ts';
import { SandboxRunner } from './runner-sandbox.ts';
import { RecordItemStore } from './store-records.ts';
import { ThreadTransformer } from './transformer-thread.ts';
import { BlobValues } from './values-blobs.ts';

/** At most the scratch space of a session, which limits files where the sandbox has no mounts. */
const MAX_RESULT_BYTES = 256 << 20;
/** Minimum of the sandbox. */
const MIN_RESULT_BYTES = 8;

/** Creates the configured backends. Opens no files. */
export function chooseBackends(settings: Settings, log: Logger): Backends {
  const storage = openStorage({
    dataDir: settings.dataDir,
    url: settings.storage,
    blobUrl: settings.blobStorage,
    namespace: 'tensor-directory',
  });
  const values = new BlobValues(storage);
  const comparer = new ThreadComparer();
  const runner = new SandboxRunner((language) => runtimeFor(language, settings));
  const onnx = new ProcessOnnxRunner({ maxResultBytes: settings.maxTensorBytes });
  return {
    tensors: new RecordItemStore<TensorItem>(storage.records, 'tensors', (keys) => values.has(keys)),
    models: new RecordItemStore<ModelItem>(storage.records, 'models', (keys) => values.has(keys)),
    values,
    runner,
    onnx,
    transformer: new ThreadTransformer(),
    comparer,
    planner: plannerFor(settings),
    files: new LocalFiles({ importRoots: settings.importRoot, exportDir: join(settings.dataDir, 'exports') }),
    parser: new ProcessParser(),
    async close() {
      await Promise.all([runner.close(), onnx.close(), comparer.close()]);
      await storage.close();
      log.debug('stores closed');
    },
  };
}

/** Imported with the first run: most sessions never run a model. */
async function runtimeFor(language: Language, settings: Settings) {
  const sandbox = await import('@atoll-mcp/sandbox');
  const limits = { resultBytes: Math.max(MIN_RESULT_BYTES, Math.min(settings.maxTensorBytes, MAX_RESULT_BYTES)) };
  if (language === 'javascript') return sandbox.createJavaScriptRuntime({ limits });
  return sandbox.createPythonRuntime({
    limits,
    readableFolders: [join(settings.dataDir, 'blobs')],
    preload: ['numpy'],
  });
}

export const GOOGLE = { url: 'https://generativelanguage.googleapis.com/v1beta/openai', model: 'gemini-2.5-flash' };

/** With a Gemini key alone, Google's OpenAI-compatible endpoint is used. */
export function plannerFor(
  { llmUrl, llmModel, llmApiKey, geminiApiKey }: Partial<Settings>,
  google = GOOGLE,
): OpenAiPlanner | undefined {
  if (llmUrl)
    return new OpenAiPlanner({ url: llmUrl, model: llmModel ?? 'llama3.2', apiKey: llmApiKey ?? geminiApiKey });
  if (!geminiApiKey) return undefined;
  return new OpenAiPlanner({ url: google.url, model: llmModel ?? google.model, apiKey: geminiApiKey });
}
