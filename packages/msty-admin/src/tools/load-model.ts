import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import {
  codes,
  keepAliveMinutes,
  loadPlan,
  loadPlanFrom,
  managedService,
  modelId,
  SERVICE_NAMES,
  toWire,
} from '../schemas.ts';

export const loadModel = defineTool({
  name: 'load_model',
  title: 'Load a model',
  description:
    'Loads a model into memory after checking the plan of plan_model_load: a model that does not fit is refused, and others are evicted only with allow_eviction. Returns when the service reports the model as loaded.',
  keywords: 'start an LLM, put it into RAM or VRAM, warm up, preload',
  input: z.object({
    model_id: modelId.describe('Id as in list_available_models'),
    service: managedService,
    keep_alive_minutes: keepAliveMinutes.optional(),
    context_length: z.int().min(1).max(10_000_000).optional().describe('Context length in tokens (Ollama, LM Studio)'),
    allow_eviction: z.boolean().default(false).describe('Let the service unload other models for this one'),
  }),
  output: z.object({
    model_id: z.string(),
    service: z.enum(SERVICE_NAMES),
    loaded: z.literal(true),
    expires_at: z.string().nullable(),
    plan: loadPlan,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  optIn: true,
  errors: [...codes.required, ...codes.service, ...codes.model],
  async run(input, { service, signal, progress }) {
    const loaded = await service.lifecycle.load(
      {
        modelId: input.model_id,
        service: input.service,
        keepAliveMinutes: input.keep_alive_minutes,
        contextLength: input.context_length,
        allowEviction: input.allow_eviction,
      },
      { signal, progress },
    );
    return { ...toWire(loaded), plan: loadPlanFrom(loaded.plan) };
  },
});
