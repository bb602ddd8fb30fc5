import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, modelId, TAGS, toWire } from '../schemas.ts';

export const listModelTags = defineTool({
  name: 'list_model_tags',
  title: 'List model tags',
  description: 'Shows the tags of one or all available models, from what services say and from names.',
  keywords: 'what models are good at: coding, vision, embedding, reasoning; labels, capabilities',
  input: z.object({
    model_id: modelId.optional().describe('Default all available models'),
  }),
  output: z.object({
    available_tags: z.array(z.enum(TAGS)),
    models: z.array(z.object({ id: z.string(), tags: z.array(z.enum(TAGS)) })),
    model_id: z.string().optional(),
    tags: z.array(z.enum(TAGS)).optional(),
  }),
  annotations: looks,
  errors: codes.input,
  run: async ({ model_id }, { service, signal }) => toWire(await service.services.tags(model_id, signal)),
});
