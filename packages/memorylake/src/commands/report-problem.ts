import { ToolError } from '@atoll-mcp/core';
import { ModelProblem } from '@atoll-mcp/cortex-embeddings';

/** Prints errors that a user can act on and returns the exit code; rethrows all others. */
export function reportProblem(error: unknown, json: boolean): number {
  if (!(error instanceof ToolError || error instanceof ModelProblem)) throw error;
  const { message } = error;
  const remedy = error instanceof ModelProblem ? error.remedy : error.suggestion;
  if (json) process.stdout.write(`${JSON.stringify({ error: { message, ...(remedy && { remedy }) } })}\n`);
  else process.stderr.write(`memorylake: ${[message.replace(/\.$/, ''), remedy].filter(Boolean).join('. ')}\n`);
  return 1;
}
