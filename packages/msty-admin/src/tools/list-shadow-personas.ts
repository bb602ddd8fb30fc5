import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listShadowPersonas = defineTool({
  name: 'list_shadow_personas',
  title: 'List shadow personas',
  description: "Lists Msty Studio's shadow personas (personas that watch a conversation), newest first.",
  keywords: 'assistants in the background, observers, reviewers of chats',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('shadow_personas', limit)),
});
