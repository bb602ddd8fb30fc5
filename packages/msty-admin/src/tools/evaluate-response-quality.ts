import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, message, QUALITY_CATEGORIES, scoreBasis, toWire } from '../schemas.ts';

export const evaluateResponseQuality = defineTool({
  name: 'evaluate_response_quality',
  title: 'Evaluate a response',
  description:
    'Scores an answer by form: length, structure, relation to the prompt and marks of the category. Does not check facts. Needs no model.',
  keywords: 'grade, rate, judge, mark or review a reply or text',
  input: z.object({
    prompt: message.describe('What was asked'),
    response: z.string().max(1_000_000).describe('The answer to score'),
    category: z.enum(QUALITY_CATEGORIES).default('general').describe('Kind of work'),
  }),
  output: z.object({
    quality_score: z.number(),
    passed: z.boolean(),
    score_basis: scoreBasis,
    category: z.string(),
    criteria: z.record(z.string(), z.number()),
    notes: z.array(z.string()),
  }),
  annotations: looks,
  errors: [...codes.required],
  run: ({ prompt, response, category }, { service }) =>
    toWire(service.calibration.evaluate(prompt, response, category)),
});
