export type { EmbedderSettings } from './backends/choose.ts';
export type {
  BackendState,
  EmbeddedText,
  Embedder,
  EmbedOptions,
  ModelFacts,
  TokenCount,
} from './backends/interface.ts';
export { createEmbedder } from './embedder.ts';
