import { ToolError } from '@atoll-mcp/core';

/** No vector is better than a wrong one: without its model the server answers with this, never with a stand-in. */
export const modelUnavailable = (reason: string, remedy: string, cause?: unknown) =>
  new ToolError('INTERNAL_ERROR', `The embedding model is not available: ${reason}. ${remedy}`, {
    details: { reason: 'model_unavailable' },
    cause,
  });

export const wrongVectors = (what: string) =>
  new ToolError('INTERNAL_ERROR', `The embedding backend answered with ${what}`, {
    details: { reason: 'wrong_vectors' },
  });

export const tokensNotCounted = (backend: string) =>
  new ToolError('VALIDATION_ERROR', `The ${backend} backend cannot count tokens; use the built-in model for that`);
