import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { INTERNAL_ERROR } from '../errors.ts';
import { cacheMetrics, metricsOf } from '../schemas.ts';

export const healthStatus = defineTool({
  name: 'health.status',
  title: 'Report health',
  description: 'Reports whether vectors can be made, available backends, limits and cache use.',
  keywords: 'is the embedding service up, running, working; status',
  input: z.object({}).meta({ title: 'HealthStatusRequest', examples: [{}] }),
  output: z.object({
    status: z.enum(['healthy', 'degraded']).describe('degraded when the last attempt to use the model failed'),
    platform: z.string().describe("The system's own name for itself"),
    backends_available: z.record(z.string(), z.boolean()),
    rate_limit: z.int().describe('Requests a client may make in a minute; 0 for any number'),
    cache_size: z.int().describe('How many vectors are kept in memory'),
    metrics: cacheMetrics,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [INTERNAL_ERROR],
  async run(_, { service }) {
    return {
      status: service.status,
      platform: service.platform,
      backends_available: await service.backendsAvailable(),
      rate_limit: service.rateLimitPerMinute,
      cache_size: service.cacheSize,
      metrics: metricsOf(service.counters),
    };
  },
});
