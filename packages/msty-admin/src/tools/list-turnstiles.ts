import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listTurnstiles = defineTool({
  name: 'list_turnstiles',
  title: 'List turnstiles',
  description: "Lists Msty Studio's turnstiles (chains of steps), newest first.",
  keywords: 'workflows, automations, pipelines, prompt chains in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('turnstiles', limit)),
});
