import { join } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { type AtollServer, createServer, loadConfig } from '@atoll-mcp/server';
import { memoryStorage, openStorage } from '@atoll-mcp/storage';
import { availableBackends } from './backends/available.ts';
import type { Embedder } from './backends/interface.ts';
import { type CortexConfig, configDefinition } from './config.ts';
import { contract } from './contract.ts';
import { createEmbedder } from './embedder.ts';
import { createModelLibrary } from './model-library.ts';
import { metricsText } from './routes/metrics-text.ts';
import { openAiRoute } from './routes/openai-route.ts';
import { rerankRoute } from './routes/rerank-route.ts';
import { toolRoutes } from './routes/tool-routes.ts';
import { EmbeddingService } from './service.ts';

export interface CortexServerOptions {
  readonly log?: Logger;
  /** An embedder to share with others; it is not closed with the server. */
  readonly embedder?: Embedder;
}

/** The whole server: settings that are left out have their defaults. Nothing is opened before the first call. */
export function createMcpServer(
  settings: Partial<CortexConfig> = {},
  options: CortexServerOptions = {},
): AtollServer<EmbeddingService> {
  const config: CortexConfig = { ...loadConfig(configDefinition).config, ...settings };
  const { log = silentLogger } = options;
  const embedder = options.embedder ?? createEmbedder({ ...config, modelDir: join(config.dataDir, 'models'), log });
  const storage = openStorage({ dataDir: config.dataDir, url: config.storage, namespace: 'cortex-embeddings' });
  const limiters = memoryStorage();
  const models = createModelLibrary({
    ...config,
    ...runtimeOf(config),
    modelDir: join(config.dataDir, 'models'),
    active: embedder,
    rerank: rerankEndpointOf(config),
    log,
  });
  const service = new EmbeddingService({
    generator: embedder,
    models,
    limits: config,
    cacheSize: config.cacheSize,
    durableCache:
      config.diskCacheBytes > 0 ? storage.cache({ name: 'vectors', maxBytes: config.diskCacheBytes }) : undefined,
    rateLimit: {
      perMinute: config.rateLimitPerMinute,
      limiter: limiters.rateLimiter({ name: 'requests', limit: config.rateLimitPerMinute }),
    },
    maxQueuedTexts: config.maxQueuedTexts,
    backendsAvailable: async () => ({
      ...availableBackends(),
      // It needs an address to be told, so it is there only where it is in use.
      openai: config.backend === 'openai',
      ...(embedder.state().notes.native_runtime !== undefined && { onnx: false }),
    }),
    log,
  });
  if (config.warmUp) embedder.load().catch((error: unknown) => log.error('model not loaded', { error }));

  const server = createServer(contract, {
    service,
    log,
    toolNames: config.toolNames,
    health: async () => ({ status: service.status === 'healthy' ? 'ok' : 'degraded', model: embedder.model.name }),
    close: async () => {
      await service.close();
      await models.close();
      await storage.close();
      if (!options.embedder) await embedder.close();
    },
    routes: [...toolRoutes(service, log), openAiRoute(service, log), rerankRoute(service, log)],
  });
  return { ...server, metrics: async () => metricsText(service) };
}

/** Models of the catalogue run here, whatever makes the vectors of the one in use. */
function runtimeOf({ backend }: CortexConfig): { runtime: 'auto' | 'onnx' | 'wasm' } {
  return { runtime: backend === 'onnx' || backend === 'wasm' ? backend : 'auto' };
}

function rerankEndpointOf({ rerankUrl: url, rerankModel: model, rerankApiKey: apiKey }: CortexConfig) {
  return url === undefined ? undefined : { url, model, apiKey };
}
