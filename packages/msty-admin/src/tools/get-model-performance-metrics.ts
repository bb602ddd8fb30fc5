import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, days, looks, modelId, toWire } from '../schemas.ts';

export const getModelPerformanceMetrics = defineTool({
  name: 'get_model_performance_metrics',
  title: 'Show model performance',
  description:
    "Shows calls, failures, latency and speed of each model in calls through this server. For Studio's own records use get_insights_usage.",
  keywords: 'how fast, slow or unreliable LLMs are; tokens per second, errors, response times, monitoring',
  input: z.object({ model_id: modelId.optional().describe('Only this model'), days }),
  output: z.object({
    days: z.int(),
    total_calls: z.int(),
    models: z.array(
      z.object({
        model_id: z.string(),
        calls: z.int(),
        successes: z.int(),
        failures: z.int(),
        avg_latency_ms: z.number().nullable(),
        avg_tokens_per_sec: z.number().nullable(),
        total_tokens: z.int(),
        last_used: z.string().nullable(),
      }),
    ),
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.files],
  async run({ model_id, days }, { service }) {
    const metrics = await service.intelligence.performance(model_id, days);
    return { ...toWire(metrics), models: metrics.models.map(toWire) };
  },
});
