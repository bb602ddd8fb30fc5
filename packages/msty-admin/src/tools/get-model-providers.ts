import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, row, toWire } from '../schemas.ts';

export const getModelProviders = defineTool({
  name: 'get_model_providers',
  title: 'List model providers',
  description:
    'Lists model files on this machine with sizes, and the remote providers set up in Msty Studio, without keys.',
  keywords: 'OpenAI, Anthropic, Google and other cloud accounts; GGUF and MLX files; disk space of models',
  input: z.object({}),
  output: z.object({
    local_models: z.array(
      z.object({ name: z.string(), path: z.string(), size_gb: z.number().nullable(), format: z.string() }),
    ),
    remote_providers: z.array(row).nullable().describe('Null when the database has no table of providers'),
    database_read: z.boolean().describe('False when no database was found'),
  }),
  annotations: looks,
  errors: [...codes.input, 'DATABASE_CONNECTION_ERROR'],
  async run(_, { service }) {
    const providers = await service.database.providers();
    return { ...toWire(providers), local_models: providers.localModels.map(toWire) };
  },
});
