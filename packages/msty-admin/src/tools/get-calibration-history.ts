import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, limit, looks, modelId, QUALITY_CATEGORIES, scoreBasis, toWire } from '../schemas.ts';

export const getCalibrationHistory = defineTool({
  name: 'get_calibration_history',
  title: 'Show calibration history',
  description: 'Lists past calibration tests, newest first.',
  keywords: 'results of earlier quizzes and tests, scores over time',
  input: z.object({
    model_id: modelId.optional().describe('Only this model'),
    category: z.enum(QUALITY_CATEGORIES).optional().describe('Only this category'),
    limit: limit(50, 1000, 'Maximum tests'),
  }),
  output: z.object({
    history: z.array(
      z.object({
        model_id: z.string(),
        category: z.string(),
        timestamp: z.string(),
        prompt: z.string(),
        quality_score: z.number(),
        passed: z.boolean(),
        latency_ms: z.int(),
      }),
    ),
    count: z.int(),
    score_basis: scoreBasis,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.files],
  async run({ model_id, category, limit }, { service }) {
    const past = await service.calibration.history({ modelId: model_id, category, limit });
    return { ...toWire(past), history: past.history.map(toWire) };
  },
});
