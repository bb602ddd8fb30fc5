import { type Logger, ToolError } from '@atoll-mcp/core';
import type { HttpRoute } from '@atoll-mcp/server';
import { z } from 'zod';
import { encodeVector } from '../domain/vector.ts';
import { internalError, invalidPayload, notJson, RATE_LIMITED } from '../errors.ts';
import type { EmbeddingService } from '../service.ts';
import { parseJson, sendFailure, sendJson } from './reply.ts';

const requestSchema = z.object(
  {
    input: z.union([z.string(), z.array(z.string())], 'must be a text or a list of texts'),
    encoding_format: z.enum(['float', 'base64']).default('float'),
    dimensions: z.int().min(1).optional(),
  },
  'the body must be a JSON object',
);

/** OpenAI's form of the same service. The model is always the one in use, and the answer names it. */
export function openAiRoute(service: EmbeddingService, log: Logger): HttpRoute {
  return {
    method: 'POST',
    path: '/v1/embeddings',
    async handle(_request, response, { client, signal, body }) {
      const raw = await body();
      try {
        sendJson(response, 200, await answer(service, parseJson(raw), { client, signal }));
      } catch (error) {
        if (!(error instanceof ToolError)) log.error('http request failed', { path: '/v1/embeddings', error });
        const failure = error instanceof ToolError ? error : internalError(error);
        sendFailure(response, failure, 400, { error: openAiError(failure) });
      }
    },
  };
}

async function answer(service: EmbeddingService, body: unknown, caller: Parameters<EmbeddingService['batch']>[2]) {
  if (body === undefined) throw notJson();
  const request = requestSchema.safeParse(body);
  if (!request.success) {
    throw invalidPayload(request.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  const { input, encoding_format: encoding, dimensions } = request.data;
  const embeddings = await service.batch([input].flat(), { dimensions }, caller);
  const tokens = embeddings.reduce((sum, each) => sum + (each.tokens ?? 0), 0);
  return {
    object: 'list',
    data: embeddings.map(({ vector }, index) => ({
      object: 'embedding',
      index,
      embedding: encodeVector(vector, encoding).values,
    })),
    model: service.facts.name,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function openAiError({ code, message, details }: ToolError) {
  const type = code === RATE_LIMITED ? 'rate_limit_error' : 'invalid_request_error';
  return {
    message,
    type: code === 'INTERNAL_ERROR' ? 'server_error' : type,
    param: null,
    code,
    ...(details && { details }),
  };
}
