export type { EmbedderSettings } from './backends/choose.ts';
export type { BackendState, Embedder, EmbedOptions } from './backends/interface.ts';
export { type CortexConfig, configDefinition } from './config.ts';
export { contract } from './contract.ts';
export { CortexPyMCPTools, CortexTools, type ToolResult } from './cortex-tools.ts';
export type { EmbeddedText, TokenCount } from './domain/embedded-text.ts';
export type { Embedding } from './domain/embedding.ts';
export type { EmbeddingGenerator, GenerateOptions, GenerateVectors } from './domain/generator.ts';
export type { ModelFacts } from './domain/model-facts.ts';
export { createEmbedder } from './embedder.ts';
export type { ToolFailure } from './envelope.ts';
export { type CortexServerOptions, createMcpServer } from './server.ts';
export {
  type Caller,
  EmbeddingService,
  type EmbeddingServiceOptions,
  type RateLimit,
  type VectorOptions,
} from './service.ts';
export { TOOL_CONTRACTS, type ToolContract } from './tool-contracts.ts';
