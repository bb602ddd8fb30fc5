import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { cacheStats, codes, toWire } from '../schemas.ts';

export const clearCache = defineTool({
  name: 'clear_cache',
  title: 'Clear the cache',
  description: 'Empties the cache of service answers, so that the next call asks again.',
  keywords: 'forget stored responses, reset, flush, start fresh; stale, outdated answers',
  input: z.object({}),
  output: cacheStats.extend({ cleared: z.int() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [...codes.input, ...codes.files],
  run: async (_, { service }) => toWire(await service.services.clearCache()),
});
