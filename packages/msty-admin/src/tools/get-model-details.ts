import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, modelId, SERVICE_NAMES, TAGS, toWire } from '../schemas.ts';

export const getModelDetails = defineTool({
  name: 'get_model_details',
  title: 'Show model details',
  description:
    'Shows what is known of one available model: context length, parameters, quantisation, size, loaded or not, tags. Unknown is null.',
  keywords: 'context window, number of parameters, size of one LLM; information, specification',
  input: z.object({ model_id: modelId.describe('Id as in list_available_models') }),
  output: z.object({
    model_id: z.string(),
    service: z.enum(SERVICE_NAMES),
    port: z.int(),
    tags: z.array(z.enum(TAGS)),
    context_length: z.int().nullable(),
    parameters_b: z.number().nullable(),
    active_parameters_b: z.number().nullable(),
    quantisation: z.string().nullable(),
    size_gb: z.number().nullable(),
    loaded: z.boolean().nullable(),
    model_memory_gb: z.number().nullable(),
    recommended_vram_gb: z.number().nullable(),
  }),
  annotations: looks,
  errors: [...codes.required, ...codes.service, 'MODEL_NOT_FOUND'],
  run: async ({ model_id }, { service, signal }) => toWire(await service.models.details(model_id, signal)),
});
