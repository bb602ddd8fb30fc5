import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const adminSeries = defineTool({
  name: 'atoll_admin_series',
  title: 'Calls over time',
  description: 'Returns calls, failures and durations of each server over the last minutes, for charts.',
  input: z.object({
    minutes: z.int().min(1).max(60).default(15).describe('How far back'),
    step_seconds: z.int().min(10).max(600).default(30).describe('Length of one point; multiples of 10'),
  }),
  output: z.object({
    step_seconds: z.int(),
    servers: z.record(
      z.string(),
      z.array(
        z.object({
          at: z.number().describe('Start, in milliseconds since 1970'),
          calls: z.int(),
          failures: z.int(),
          p50: z.number().describe('Half of the calls took at most so many milliseconds, rounded up to a power of two'),
          p95: z.number(),
        }),
      ),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: ({ minutes, step_seconds: stepSeconds }, { service }) => service.callSeries(minutes, stepSeconds),
});
