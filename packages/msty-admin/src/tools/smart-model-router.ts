import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, recommendation, toWire } from '../schemas.ts';

export const smartModelRouter = defineTool({
  name: 'smart_model_router',
  title: 'Choose a model for a task',
  description: 'Recommends the available model that suits a task in words, with up to three alternatives.',
  keywords: 'best LLM for a job; pick, choose, select the right one; which one to use',
  input: z.object({
    task_description: z.string().trim().min(1).max(100_000).describe('The task in words'),
    prefer_speed: z.boolean().default(false).describe('Prefer a faster model'),
    prefer_quality: z.boolean().default(false).describe('Prefer a better model; wins over prefer_speed'),
  }),
  output: z.object({
    task_description: z.string(),
    category: z.string(),
    recommended: recommendation,
    alternatives: z.array(recommendation),
  }),
  annotations: looks,
  errors: [...codes.required, ...codes.service, 'MODEL_NOT_FOUND'],
  async run({ task_description, prefer_speed, prefer_quality }, { service, signal }) {
    const preferred = { speed: prefer_speed, quality: prefer_quality };
    const routed = await service.services.route(task_description, preferred, signal);
    return {
      ...toWire(routed),
      recommended: toWire(routed.recommended),
      alternatives: routed.alternatives.map(toWire),
    };
  },
});
