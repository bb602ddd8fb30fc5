import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, TAGS, toWire } from '../schemas.ts';

export const listNexusModels = defineTool({
  name: 'list_nexus_models',
  title: 'List Nexus models',
  description: 'Lists the models that Msty Nexus offers; they may be remote.',
  keywords: 'LLMs behind the gateway, cloud, remote',
  input: z.object({}),
  output: z.object({
    port: z.int(),
    models: z.array(z.object({ id: z.string(), tags: z.array(z.enum(TAGS)), context_length: z.int().nullable() })),
    total: z.int(),
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.service],
  async run(_, { service, signal }) {
    const { port, models, total } = await service.nexus.models(signal);
    return { port, models: models.map(toWire), total };
  },
});
