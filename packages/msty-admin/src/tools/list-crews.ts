import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listCrews = defineTool({
  name: 'list_crews',
  title: 'List crews',
  description:
    'Lists the crews (groups of personas that answer together) in Msty Studio, the latest first. JSON columns are parsed, secrets redacted.',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('crews', limit)),
});
