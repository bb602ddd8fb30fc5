export type { EmbedderSettings } from './backends/choose.ts';
export type { BackendState, Embedder, EmbedOptions, ModelLibrary, Reranker } from './backends/interface.ts';
export { ModelProblem } from './backends/model-problem.ts';
export type { PullProgress } from './backends/models/fetch-model.ts';
export { ModelStore } from './backends/models/model-store.ts';
export { type PulledFiles, pullFiles } from './backends/models/pull-files.ts';
export { type PullOptions, pullModel } from './backends/models/pull-model.ts';
export { type CortexConfig, configDefinition } from './config.ts';
export { contract } from './contract.ts';
export { CortexPyMCPTools, CortexTools, type ToolResult } from './cortex-tools.ts';
export type { EmbeddedText, TokenCount } from './domain/embedded-text.ts';
export type { Embedding } from './domain/embedding.ts';
export type { EmbeddingGenerator, GenerateOptions, GenerateVectors } from './domain/generator.ts';
export { type InstalledModel, identityOf } from './domain/models/installed-model.ts';
export type { ListedModel } from './domain/models/listed-model.ts';
export { type CatalogModel, modelCatalog, modelSets } from './domain/models/model-catalog.ts';
export type { ModelFacts } from './domain/models/model-facts.ts';
export { createEmbedder } from './embedder.ts';
export type { ToolFailure } from './envelope.ts';
export { createModelLibrary, type LibrarySettings, listModels } from './model-library.ts';
export { type CortexServerOptions, createMcpServer } from './server.ts';
export {
  type Caller,
  EmbeddingService,
  type EmbeddingServiceOptions,
  type RateLimit,
  type VectorOptions,
} from './service.ts';
export { TOOL_CONTRACTS, type ToolContract } from './tool-contracts.ts';
