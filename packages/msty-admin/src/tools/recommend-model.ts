import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, recommendation, toWire, USE_CASES } from '../schemas.ts';

export const recommendModel = defineTool({
  name: 'recommend_model',
  title: 'Recommend a model',
  description:
    'Recommends an available model for a use case, with up to three alternatives. For a task in words use smart_model_router.',
  keywords: 'best LLM for coding, writing, vision; suggestion, which one to use, pick, choose',
  input: z.object({
    use_case: z.enum(USE_CASES).default('general').describe('What the model is for'),
    max_size_gb: z.number().positive().max(10_000).optional().describe('Largest acceptable memory need'),
  }),
  output: z.object({ use_case: z.string(), recommended: recommendation, alternatives: z.array(recommendation) }),
  annotations: looks,
  errors: [...codes.input, ...codes.service, 'MODEL_NOT_FOUND'],
  async run({ use_case, max_size_gb }, { service, signal }) {
    const { useCase, recommended, alternatives } = await service.services.recommend(use_case, max_size_gb, signal);
    return { use_case: useCase, recommended: toWire(recommended), alternatives: alternatives.map(toWire) };
  },
});
