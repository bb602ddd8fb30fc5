import type { Envelope } from '@atoll-mcp/core';
import { z } from 'zod';

const failure = z.object({
  code: z.string().describe('What went wrong, for programs'),
  message: z.string().describe('What went wrong and what would be right, for people'),
  details: z.record(z.string(), z.unknown()).optional().describe('Facts such as index, limit or retry_after_ms'),
});

export type ToolFailure = z.output<typeof failure>;

/** Success is the output itself; a failure is its code, a sentence and, where they help, details. */
export const cortexEnvelope: Envelope = {
  success: (output) => output,
  ok: (output) => output,
  failure,
  fail: ({ code, message, details }) => ({ code, message, ...(details && { details }) }),
};
