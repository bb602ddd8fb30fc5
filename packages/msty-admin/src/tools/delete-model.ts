import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, managedService, modelId, SERVICE_NAMES, toWire } from '../schemas.ts';

export const deleteModel = defineTool({
  name: 'delete_model',
  title: 'Delete a model',
  description:
    'Deletes the files of a model after the user has confirmed it through the client (elicitation). Without a confirmation nothing is deleted. Only Ollama can do this.',
  keywords: 'remove, uninstall or erase an LLM from disk; free space',
  input: z.object({ model_id: modelId.describe('Id as in list_available_models'), service: managedService }),
  output: z.object({ model_id: z.string(), service: z.enum(SERVICE_NAMES), deleted: z.literal(true) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  optIn: true,
  errors: [...codes.required, ...codes.service, 'MODEL_NOT_FOUND', 'PERMISSION_ERROR'],
  run: async ({ model_id, service: on }, { service, signal, confirm }) =>
    toWire(await service.lifecycle.remove({ modelId: model_id, service: on }, confirm, signal)),
});
