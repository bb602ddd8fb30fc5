import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, row } from '../schemas.ts';

export const getModelProviders = defineTool({
  name: 'get_model_providers',
  title: 'List model providers',
  description:
    'Lists model files on this machine with their sizes, and the remote providers that are set up in Msty Studio, without their keys.',
  input: z.object({}),
  output: z.object({
    local_models: z.array(z.object({ name: z.string(), path: z.string(), size_gb: z.number(), format: z.string() })),
    remote_providers: z.array(row),
    database_read: z.boolean().describe('False when there is no database to read providers from'),
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: (_, { service }) => service.database.providers(),
});
