import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { byService, byServiceFrom, codes, listedModel, listedModelFrom, looks, toWire } from '../schemas.ts';

export const listAvailableModels = defineTool({
  name: 'list_available_models',
  title: 'List available models',
  description:
    'Lists the models of all running local services: tags, size, context length, loaded or not. Cached for half a minute.',
  keywords: 'which LLMs can be used now; installed, running, offline, local chat and embedding models',
  input: z.object({}),
  output: z.object({
    models: z.array(listedModel),
    total: z.int(),
    by_service: byService,
    cached: z.boolean(),
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service, signal }) {
    const list = await service.services.list(signal);
    return { ...toWire(list), models: list.models.map(listedModelFrom), by_service: byServiceFrom(list.byService) };
  },
});
