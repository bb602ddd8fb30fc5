import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, managedService, modelId, SERVICE_NAMES, toWire } from '../schemas.ts';

export const unloadModel = defineTool({
  name: 'unload_model',
  title: 'Unload a model',
  description: 'Takes a model out of memory and returns when the service no longer has it. Its files stay.',
  keywords: 'stop an LLM, free RAM or VRAM',
  input: z.object({ model_id: modelId.describe('Id as in list_loaded_models'), service: managedService }),
  output: z.object({ model_id: z.string(), service: z.enum(SERVICE_NAMES), unloaded: z.literal(true) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  optIn: true,
  errors: [...codes.required, ...codes.service, ...codes.model],
  run: async ({ model_id, service: on }, { service, signal }) =>
    toWire(await service.lifecycle.unload({ modelId: model_id, service: on }, signal)),
});
