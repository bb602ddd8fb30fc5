import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, looks, modelId, TIMEFRAMES, toWire } from '../schemas.ts';

export const getInsightsUsage = defineTool({
  name: 'get_insights_usage',
  title: 'Show recorded usage',
  description:
    "Sums up Msty Studio's own records of model use: calls, tokens, cost and speed, in all, by model and by day.",
  keywords: 'spending, costs, money, price, tokens used, bill by month, day and model; how much was spent',
  input: z.object({
    model_id: modelId.optional().describe('Only this model'),
    timeframe: z.enum(TIMEFRAMES).default('7d').describe('How far to look back'),
  }),
  output: z.object({
    timeframe: z.enum(TIMEFRAMES),
    totals: z.object({
      calls: z.int(),
      prompt_tokens: z.number().nullable(),
      completion_tokens: z.number().nullable(),
      total_tokens: z.number().nullable(),
      cost_usd: z.number().nullable(),
    }),
    models: z.array(
      z.object({
        model_id: z.string(),
        calls: z.int(),
        prompt_tokens: z.number().nullable(),
        completion_tokens: z.number().nullable(),
        total_tokens: z.number().nullable(),
        cost_usd: z.number().nullable(),
        avg_tokens_per_sec: z.number().nullable(),
        avg_time_to_first_response_sec: z.number().nullable(),
      }),
    ),
    daily: z
      .array(z.object({ day: z.iso.date(), calls: z.int(), total_tokens: z.number().nullable() }))
      .describe('Days with calls, in UTC, oldest first'),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  async run({ model_id, timeframe }, { service }) {
    const { totals, models, daily, ...usage } = await service.inventory.usage(model_id, timeframe);
    return { ...toWire(usage), totals: toWire(totals), models: models.map(toWire), daily: daily.map(toWire) };
  },
});
