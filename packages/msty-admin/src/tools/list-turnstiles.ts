import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listTurnstiles = defineTool({
  name: 'list_turnstiles',
  title: 'List turnstiles',
  description:
    'Lists the turnstiles (chains of steps) in Msty Studio, the latest first. JSON columns are opened, secrets redacted.',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('turnstiles', limit)),
});
