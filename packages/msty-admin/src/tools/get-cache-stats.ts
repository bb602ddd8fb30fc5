import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { cacheStats, codes, looks, toWire } from '../schemas.ts';

export const getCacheStats = defineTool({
  name: 'get_cache_stats',
  title: 'Show cache statistics',
  description: 'Shows how many service answers are cached and how often the cache was used.',
  keywords: 'hit rate, how well caching works, stored responses',
  input: z.object({}),
  output: cacheStats,
  annotations: looks,
  errors: codes.input,
  run: async (_, { service }) => toWire(await service.services.cacheStats()),
});
