import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const getSchemaMigrations = defineTool({
  name: 'get_schema_migrations',
  title: 'Show schema migrations',
  description:
    "Lists the migrations applied to Msty Studio's database, newest first: which version of the schema it has.",
  keywords: 'database version, updates, upgrades of tables',
  input: z.object({ limit: limit(20, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('schema_migrations', limit)),
});
