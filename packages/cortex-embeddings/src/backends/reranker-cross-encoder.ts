import { identityOf } from '../domain/models/installed-model.ts';
import type { EncoderBackendSettings } from './embedder-encoder.ts';
import type { Reranker } from './interface.ts';
import type { EncoderSettings } from './onnx/encoder-worker.ts';
import { WorkerPool } from './workers/worker-pool.ts';

/** A model that reads query and document together, in threads of its own. */
export function crossEncoder({ folder, model, runtime, workers, log }: EncoderBackendSettings): Reranker {
  const settings: EncoderSettings = { folder, model, runtime };
  const pool = new WorkerPool({ size: workers, program: 'encoder-worker', settings, log });
  return {
    model: { name: model.name, identity: identityOf(model) },
    async score(query, texts) {
      const share = Math.ceil(texts.length / workers);
      const parts = Array.from({ length: workers }, (_, i) => texts.slice(i * share, (i + 1) * share));
      return (await Promise.all(parts.map((part) => (part.length ? pool.score(query, part) : [])))).flat();
    },
    close: () => pool.close(),
  };
}
