import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, codes, message, modelId, QUALITY_CATEGORIES, scoreBasis, toWire } from '../schemas.ts';

export const runCalibrationTest = defineTool({
  name: 'run_calibration_test',
  title: 'Run a calibration test',
  description:
    'Asks a model two short built-in prompts of a category, or one of yours, scores the answers and keeps the result. The score judges form, not truth.',
  keywords: 'quiz, exam or test of an LLM: reasoning, coding, writing; how good, clever',
  input: z.object({
    model_id: modelId.optional().describe('Default the first that can chat'),
    category: z.enum(QUALITY_CATEGORIES).default('general').describe('Kind of work'),
    custom_prompt: message.optional().describe('Instead of the built-in prompts'),
    passing_threshold: z.number().min(0).max(1).default(0.6).describe('Score needed to pass'),
  }),
  output: z.object({
    model_id: z.string(),
    category: z.string(),
    passing_threshold: z.number(),
    score_basis: scoreBasis,
    tests: z.array(
      z.object({
        prompt: z.string(),
        response: z.string(),
        quality_score: z.number(),
        passed: z.boolean(),
        criteria: z.record(z.string(), z.number()),
        latency_ms: z.int(),
      }),
    ),
    failures: z.array(z.object({ code: z.string(), message: z.string() })),
    summary: z.object({ total: z.int(), passed: z.int(), failed: z.int(), average_score: z.number() }),
  }),
  annotations: asksModel,
  errors: [...codes.input, ...codes.service, ...codes.model, ...codes.files],
  async run({ model_id, category, custom_prompt, passing_threshold }, { service, signal, progress }) {
    const result = await service.calibration.test(
      { modelId: model_id, category, customPrompt: custom_prompt, threshold: passing_threshold },
      { signal, progress },
    );
    return { ...toWire(result), tests: result.tests.map(toWire), summary: toWire(result.summary) };
  },
});
