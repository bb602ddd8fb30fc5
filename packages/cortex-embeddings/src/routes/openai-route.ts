import { type Logger, ToolError } from '@atoll-mcp/core';
import type { HttpRoute } from '@atoll-mcp/server';
import { z } from 'zod';
import type { Embedding } from '../domain/embedding.ts';
import { encodeVector } from '../domain/vector.ts';
import { internalError, invalidPayload, notJson, RATE_LIMITED } from '../errors.ts';
import type { EmbeddingService } from '../service.ts';
import { nameModel, parseBody, sendFailure, sendJson } from './reply.ts';

const requestSchema = z.object(
  {
    input: z.union([z.string(), z.array(z.string())], 'must be a text or a list of texts'),
    encoding_format: z.enum(['float', 'base64']).default('float'),
    dimensions: z.int().min(1).optional(),
    model: z.string().optional(),
  },
  'the body must be a JSON object',
);

/**
 * OpenAI's form of the same service. Its clients must name a model, often one of OpenAI's: a name that is known here is
 * used, any other means the model in use, and the answer names it.
 */
export function openAiRoute(service: EmbeddingService, log: Logger): HttpRoute {
  return {
    method: 'POST',
    path: '/v1/embeddings',
    async handle(_request, response, { client, signal, body }) {
      const raw = await body();
      try {
        const { identity, body: answer } = await embed(service, parseBody(raw), { client, signal });
        nameModel(response, identity);
        sendJson(response, 200, answer);
      } catch (error) {
        if (!(error instanceof ToolError)) log.error('http request failed', { path: '/v1/embeddings', error });
        const failure = error instanceof ToolError ? error : internalError(error);
        sendFailure(response, failure, 400, { error: openAiError(failure) });
      }
    },
  };
}

async function embed(service: EmbeddingService, given: unknown, caller: Parameters<EmbeddingService['batch']>[2]) {
  if (given === undefined) throw notJson();
  const request = requestSchema.safeParse(given);
  if (!request.success) {
    throw invalidPayload(request.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  const { input, encoding_format: encoding, dimensions, model } = request.data;
  const known = (await service.listModels()).some(({ name, sets }) => name === model || sets.includes(model ?? ''));
  const options = { dimensions, ...(known && { model }) };
  const embeddings = await service.batch([input].flat(), options, caller);
  const [{ model: made }] = embeddings as [Embedding, ...Embedding[]];
  const tokens = embeddings.reduce((sum, each) => sum + (each.tokens ?? 0), 0);
  const body = {
    object: 'list',
    data: embeddings.map(({ vector }, index) => ({
      object: 'embedding',
      index,
      embedding: encodeVector(vector, encoding).values,
    })),
    model: made.name,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
  return { identity: made.identity, body };
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
