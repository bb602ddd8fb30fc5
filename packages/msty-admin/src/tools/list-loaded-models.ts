import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, loadedModel, looks, SERVICE_NAMES, toWire } from '../schemas.ts';

export const listLoadedModels = defineTool({
  name: 'list_loaded_models',
  title: 'List loaded models',
  description:
    'Lists the models that Ollama, LM Studio and llama-swap have in memory now, with their memory and when they expire, as far as the services say.',
  keywords: 'LLMs in RAM or VRAM now, running, active; what uses memory',
  input: z.object({}),
  output: z.object({
    models: z.array(loadedModel),
    count: z.int(),
    services: z.array(z.object({ name: z.enum(SERVICE_NAMES), port: z.int(), protocol: z.string() })),
  }),
  annotations: looks,
  optIn: true,
  errors: [...codes.input, 'SERVICE_UNAVAILABLE'],
  async run(_, { service, signal }) {
    const { models, count, services } = await service.lifecycle.loaded(signal);
    return { models: models.map(toWire), count, services };
  },
});
