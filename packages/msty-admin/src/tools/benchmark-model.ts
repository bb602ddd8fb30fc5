import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, codes, modelId, toWire } from '../schemas.ts';

export const benchmarkModel = defineTool({
  name: 'benchmark_model',
  title: 'Benchmark a model',
  description:
    "Measures a model's speed with prompts of several lengths and returns averages. Takes a while: one request per run and length. Token counts come from the service or are marked as estimated.",
  keywords: 'speed test; how fast; tokens per second of an LLM',
  input: z.object({
    model_id: modelId.describe('Model to benchmark'),
    num_runs: z.int().min(1).max(20).default(3).describe('Runs per prompt length'),
    prompt_lengths: z
      .array(z.int().min(1).max(32_768))
      .min(1)
      .max(10)
      .default([50, 200, 500])
      .describe('Prompt lengths in tokens (about a word each)'),
  }),
  output: z.object({
    model_id: z.string(),
    results: z.array(z.object({ prompt_length: z.int(), avg_tokens_per_sec: z.number(), avg_latency_ms: z.int() })),
    overall_avg_tokens_per_sec: z.number(),
    rating: z.string(),
    token_counts: z.enum(['service', 'estimated']),
    failed_runs: z.int(),
  }),
  annotations: asksModel,
  errors: [...codes.required, ...codes.service, ...codes.model],
  async run({ model_id, num_runs, prompt_lengths }, { service, signal, progress }) {
    const figures = await service.models.benchmark(model_id, num_runs, prompt_lengths, { signal, progress });
    return { ...toWire(figures), results: figures.results.map(toWire) };
  },
});
