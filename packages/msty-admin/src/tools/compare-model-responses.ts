import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, chatAnswerFrom, codes, message, modelId, scoreBasis, timing, tokens, toWire } from '../schemas.ts';

export const compareModelResponses = defineTool({
  name: 'compare_model_responses',
  title: 'Compare model responses',
  description:
    'Asks several models the same thing and returns their answers with timing, a score and a winner. The score judges form and speed, not truth.',
  keywords: 'same question to two LLMs; which one answers better; side by side, contest',
  input: z.object({
    prompt: message.describe('What to ask'),
    models: z
      .array(modelId)
      .min(1)
      .max(10)
      .optional()
      .describe('Models to compare; default the first five that can chat'),
    system_prompt: z.string().max(1_000_000).optional().describe('Optional system prompt'),
    evaluation_criteria: z.enum(['balanced', 'quality', 'speed']).default('balanced').describe('What decides'),
  }),
  output: z.object({
    evaluation_criteria: z.string(),
    score_basis: scoreBasis,
    responses: z.array(
      z.discriminatedUnion('success', [
        z.object({
          model_id: z.string(),
          success: z.literal(true),
          response: z.string(),
          tokens,
          timing,
          quality_score: z.number(),
          score: z.number(),
        }),
        z.object({
          model_id: z.string(),
          success: z.literal(false),
          error: z.object({ code: z.string(), message: z.string() }),
        }),
      ]),
    ),
    winner: z.string(),
  }),
  annotations: asksModel,
  errors: [...codes.required, ...codes.service, ...codes.model],
  async run({ prompt, models, system_prompt, evaluation_criteria }, { service, signal, progress }) {
    const compared = await service.intelligence.compare(
      { prompt, models, systemPrompt: system_prompt, criteria: evaluation_criteria },
      { signal, progress },
    );
    const responses = compared.responses.map((one) => {
      if (!one.success) return { model_id: one.modelId, success: one.success, error: one.error };
      const { response, tokens, timing } = chatAnswerFrom(one.reply);
      const { modelId: model_id, success, qualityScore: quality_score, score } = one;
      return { model_id, success, response, tokens, timing, quality_score, score };
    });
    return { ...toWire(compared), responses };
  },
});
