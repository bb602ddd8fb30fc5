import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, modelId, toWire } from '../schemas.ts';

export const estimateModelRequirements = defineTool({
  name: 'estimate_model_requirements',
  title: 'Estimate model requirements',
  description:
    "Estimates a model's memory need from its size, or the parameters and quantisation in its name. Works for models not installed; unknown is null.",
  keywords: 'how much RAM, VRAM or GPU an LLM needs; will 7b, 13b or 70b run or fit on this laptop',
  input: z.object({ model_id: modelId.describe('Id or name, such as qwen3-30b-a3b-q4_k_m') }),
  output: z.object({
    model_id: z.string(),
    parameters_b: z.number().nullable(),
    quantisation: z.string().nullable(),
    basis: z.enum(['service', 'name']).nullable().describe('Where the size comes from'),
    model_memory_gb: z.number().nullable(),
    recommended_vram_gb: z.number().nullable(),
    recommended_ram_gb: z.number().nullable(),
  }),
  annotations: looks,
  errors: [...codes.required],
  run: async ({ model_id }, { service, signal }) => toWire(await service.models.requirements(model_id, signal)),
});
