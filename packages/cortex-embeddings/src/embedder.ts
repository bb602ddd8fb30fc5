import { chooseBackend, type EmbedderSettings } from './backends/choose.ts';
import type { Embedder } from './backends/interface.ts';
import { TextQueue } from './service/text-queue.ts';

/** A model behind a queue, without any server. Nothing is loaded before the first text. */
export function createEmbedder(settings: EmbedderSettings = {}): Embedder {
  return new TextQueue(chooseBackend(settings));
}
