import { ToolError } from '@atoll-mcp/core';

export const VALIDATION_ERROR = 'VALIDATION_ERROR';
export const TEXT_TOO_LONG = 'TEXT_TOO_LONG';
export const SECURITY_VIOLATION = 'SECURITY_VIOLATION';
export const RATE_LIMITED = 'RATE_LIMITED';
export const INTERNAL_ERROR = 'INTERNAL_ERROR';

/** What any tool that makes vectors can fail with. */
export const embeddingErrors = [
  VALIDATION_ERROR,
  TEXT_TOO_LONG,
  SECURITY_VIOLATION,
  RATE_LIMITED,
  INTERNAL_ERROR,
] as const;

export const errorMeanings: Readonly<Record<string, string>> = {
  [VALIDATION_ERROR]: 'The arguments do not fit the tool',
  [TEXT_TOO_LONG]: 'A text has more characters than are accepted',
  [SECURITY_VIOLATION]: 'A text contains something that the security policy rejects',
  [RATE_LIMITED]: 'Too many requests; details.retry_after_ms says when to try again',
  [INTERNAL_ERROR]: 'The server or its model failed',
};

type Details = Readonly<Record<string, unknown>>;

export const invalidPayload = (problems: readonly { path: string; message: string }[], details: Details = {}) =>
  new ToolError(
    VALIDATION_ERROR,
    `Invalid payload: ${problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')}`,
    { details: { errors: problems, ...details } },
  );

export const notJson = () =>
  invalidPayload([{ path: '', message: 'the body is not JSON; it ends too early or holds a character too many' }]);

export const emptyText = (place: string, details?: Details) =>
  new ToolError(VALIDATION_ERROR, `${place} is empty; give at least one character that is not a blank`, { details });

export const textTooLong = (place: string, length: number, limit: number, details: Details = {}) =>
  new ToolError(TEXT_TOO_LONG, `${place} has ${length} characters; at most ${limit} are accepted`, {
    details: { length, limit, ...details },
  });

export const controlCharacter = (place: string, codePoint: number, details?: Details) =>
  new ToolError(
    SECURITY_VIOLATION,
    `${place} contains the control character U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}; only line breaks and tabs are accepted`,
    { details },
  );

export const forbiddenPattern = (place: string, pattern: string, details: Details = {}) =>
  new ToolError(SECURITY_VIOLATION, `${place} contains ${JSON.stringify(pattern)}, which the security policy refuses`, {
    details: { pattern, ...details },
  });

export const tooManyTexts = (count: number, limit: number) =>
  new ToolError(VALIDATION_ERROR, `The batch has ${count} texts; at most ${limit} are accepted in one call`, {
    details: { count, limit },
  });

export const noTexts = () => new ToolError(VALIDATION_ERROR, 'The batch is empty; give at least one text');

export const batchTooLarge = (characters: number, limit: number) =>
  new ToolError(
    VALIDATION_ERROR,
    `The texts have ${characters} characters together; at most ${limit} are accepted in one call`,
    { details: { characters, limit } },
  );

export const badDimensions = (dimensions: number, limit: number) =>
  new ToolError(VALIDATION_ERROR, `The model has ${limit} dimensions, so ${dimensions} cannot be given`, {
    details: { dimensions, limit },
  });

export const rateLimited = (limit: number, retryAfterMs: number) =>
  new ToolError(
    RATE_LIMITED,
    `The limit of ${limit} requests a minute is used up; try again in ${seconds(retryAfterMs)}`,
    {
      details: { limit, retry_after_ms: Math.ceil(retryAfterMs) },
    },
  );

export const queueFull = (waiting: number, limit: number, retryAfterMs: number) =>
  new ToolError(RATE_LIMITED, `Too many texts are waiting; try again in ${seconds(retryAfterMs)}`, {
    details: { waiting, queue_limit: limit, retry_after_ms: Math.ceil(retryAfterMs) },
  });

/** No vector is better than a wrong one: without its model the server answers with this, never with a stand-in. */
export const modelUnavailable = (reason: string, remedy: string, cause?: unknown) =>
  new ToolError(INTERNAL_ERROR, `The embedding model is not available: ${reason}. ${remedy}`, {
    details: { reason: 'model_unavailable' },
    cause,
  });

export const wrongVectors = (what: string) =>
  new ToolError(INTERNAL_ERROR, `The embedding backend answered with ${what}`, {
    details: { reason: 'wrong_vectors' },
  });

export const wrongScores = (what: string) =>
  new ToolError(INTERNAL_ERROR, `The rerank backend answered with ${what}`, { details: { reason: 'wrong_scores' } });

export const modelNotInstalled = (model: string, known: boolean, available: readonly string[]) =>
  new ToolError(
    VALIDATION_ERROR,
    known
      ? `The model "${model}" is not installed. Run: cortex-embeddings models pull ${model}`
      : `Unknown model "${model}". Installed: ${available.join(', ')}; "cortex-embeddings models list" shows all models`,
    { details: { reason: 'model_not_installed', model, available } },
  );

export const notAnEmbeddingModel = (model: string) =>
  new ToolError(
    VALIDATION_ERROR,
    `The model "${model}" reorders texts and makes no vectors; name it in embedding.rerank`,
    {
      details: { model },
    },
  );

export const notAReranker = (model: string) =>
  new ToolError(
    VALIDATION_ERROR,
    `Unknown reranker "${model}". Leave model out for the one in use, or run: cortex-embeddings models pull ms-marco-MiniLM-L-6-v2`,
    { details: { model } },
  );

export const badTopN = (topN: number) =>
  new ToolError(VALIDATION_ERROR, `top_n is ${topN}; give 1 or more, or leave it out for all documents`, {
    details: { top_n: topN },
  });

export const notAVector = (problem: string) =>
  new ToolError(
    VALIDATION_ERROR,
    `embedding: ${problem}; give the numbers of a vector, or its float32 bytes as base64`,
  );

/** The generator belongs to whoever made the service, so its own message may be shown. */
export const generatorFailed = (cause: unknown) =>
  new ToolError(INTERNAL_ERROR, `The generator failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
    details: { reason: 'generator_failed' },
    cause,
  });

export const backendRefused = (backend: string, status: number) =>
  new ToolError(INTERNAL_ERROR, `The ${backend} backend answered with status ${status}`, {
    details: { reason: 'backend_failed', status },
  });

export const tokensNotCounted = (backend: string) =>
  new ToolError(VALIDATION_ERROR, `The ${backend} backend cannot count tokens; the built-in model can`);

export const cancelled = (cause: unknown) => new ToolError(INTERNAL_ERROR, 'The call was cancelled', { cause });

export const internalError = (cause: unknown) =>
  new ToolError(INTERNAL_ERROR, 'Something went wrong inside the server; its log has the details', { cause });

const seconds = (ms: number) => `${Math.max(1, Math.ceil(ms / 1000))} s`;
