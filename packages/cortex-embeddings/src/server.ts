import { join } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { type AtollServer, createServer, loadConfig } from '@atoll-mcp/server';
import { memoryStorage, openStorage } from '@atoll-mcp/storage';
import { availableBackends } from './backends/available.ts';
import type { Embedder } from './backends/interface.ts';
import { type CortexConfig, configDefinition } from './config.ts';
import { contract } from './contract.ts';
import { createEmbedder } from './embedder.ts';
import { metricsText } from './routes/metrics-text.ts';
import { openAiRoute } from './routes/openai-route.ts';
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
  const service = new EmbeddingService({
    generator: embedder,
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
      await storage.close();
      if (!options.embedder) await embedder.close();
    },
    routes: [...toolRoutes(service, log), openAiRoute(service, log)],
  });
  return { ...server, metrics: async () => metricsText(service) };
}
