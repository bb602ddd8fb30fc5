import type { Envelope } from '@atoll-mcp/core';
import { z } from 'zod';

/** A success is `{ result }`; a failure is a sentence. */
export const resultEnvelope: Envelope = {
  success: (output) => z.object({ result: output }),
  ok: (output) => ({ result: output }),
  readOutput: (body) => (body as { result: unknown }).result,
  failure: z.string(),
  fail: (error) => error.message,
};

/** A success is the body itself. */
export const bareResult: Partial<Envelope> = {
  success: (output) => output,
  ok: (output) => output,
  readOutput: (body) => body,
};
