import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, loadPlan, loadPlanFrom, looks, managedService, modelId } from '../schemas.ts';

export const planModelLoad = defineTool({
  name: 'plan_model_load',
  title: 'Plan loading a model',
  description:
    'Says, without loading anything, how much memory a model needs, whether it fits beside the loaded models, which of them stay, which the service would evict, and which to unload first. What cannot be told is null.',
  keywords: 'does an LLM fit into RAM or VRAM; enough memory, what to stop first',
  input: z.object({ model_id: modelId.describe('Id as in list_available_models'), service: managedService }),
  output: loadPlan,
  annotations: looks,
  optIn: true,
  errors: [...codes.required, ...codes.service, 'MODEL_NOT_FOUND'],
  run: async ({ model_id, service: on }, { service, signal }) =>
    loadPlanFrom(await service.lifecycle.plan({ modelId: model_id, service: on }, signal)),
});
