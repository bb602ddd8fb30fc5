import type { Envelope } from '@atoll-mcp/core';
import { z } from 'zod';

/** The envelope of the original document: `data` on success, a code with a remedy on failure, and always the time. */
export const mstyEnvelope: Envelope = {
  success: (output) =>
    z.object({ success: z.literal(true), data: output, message: z.string().optional(), timestamp: z.string() }),
  ok: (output, { now }) => ({
    success: true,
    data: output,
    message: 'Operation completed successfully',
    timestamp: stamp(now()),
  }),
  readOutput: (body) => (body as { data: unknown }).data,
  failure: z.object({
    success: z.literal(false),
    error: z.object({ code: z.string(), message: z.string(), suggestion: z.string().optional() }),
    timestamp: z.string(),
  }),
  fail: ({ code, message, suggestion }, { now }) => ({
    success: false,
    error: { code, message, ...(suggestion !== undefined && { suggestion }) },
    timestamp: stamp(now()),
  }),
};

/** To the second, as the original document writes it. */
function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
