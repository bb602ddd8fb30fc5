import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, managedService, modelId, SERVICE_NAMES, toWire } from '../schemas.ts';

export const pullModel = defineTool({
  name: 'pull_model',
  title: 'Download a model',
  description:
    'Has Ollama or LM Studio download a model, with progress in bytes, and returns when it is complete. The service fetches it from the internet and it may take many gigabytes of disk.',
  keywords: 'install, get or fetch an LLM from Ollama or LM Studio',
  input: z.object({
    model_id: modelId.describe('Name in the catalogue of the service, such as llama3.2:3b'),
    service: managedService,
  }),
  output: z.object({ model_id: z.string(), service: z.enum(SERVICE_NAMES), pulled: z.literal(true) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  optIn: true,
  errors: [...codes.required, ...codes.service, 'MODEL_NOT_FOUND'],
  run: async ({ model_id, service: on }, { service, signal, progress }) =>
    toWire(await service.lifecycle.pull({ modelId: model_id, service: on }, { signal, progress })),
});
