import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listLiveContexts = defineTool({
  name: 'list_live_contexts',
  title: 'List live contexts',
  description: "Lists Msty Studio's live contexts (data fetched into prompts), newest first.",
  keywords: 'up-to-date data, feeds, API sources in prompts',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('live_contexts', limit)),
});
