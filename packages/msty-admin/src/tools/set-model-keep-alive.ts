import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, keepAliveMinutes, managedService, modelId, SERVICE_NAMES, toWire } from '../schemas.ts';

export const setModelKeepAlive = defineTool({
  name: 'set_model_keep_alive',
  title: 'Set how long a model stays loaded',
  description:
    'Sets how long a loaded model stays in memory without use, and returns when it expires. Only Ollama can do this; LM Studio and llama-swap have it in their own settings.',
  keywords: 'how long an LLM stays in RAM; idle timeout, expiry',
  input: z.object({
    model_id: modelId.describe('Id as in list_loaded_models'),
    minutes: keepAliveMinutes,
    service: managedService,
  }),
  output: z.object({ model_id: z.string(), service: z.enum(SERVICE_NAMES), expires_at: z.string().nullable() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  optIn: true,
  errors: [...codes.required, ...codes.service, ...codes.model],
  run: async ({ model_id, minutes, service: on }, { service, signal }) =>
    toWire(await service.lifecycle.keepAlive({ modelId: model_id, service: on }, minutes, signal)),
});
