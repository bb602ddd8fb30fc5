import { type Logger, ToolError } from '@atoll-mcp/core';
import type { HttpRoute } from '@atoll-mcp/server';
import { z } from 'zod';
import { internalError, invalidPayload, notJson } from '../errors.ts';
import type { EmbeddingService } from '../service.ts';
import { nameModel, parseBody, sendFailure, sendJson } from './reply.ts';

const PATH = '/v1/rerank';

const documentSchema = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);
const requestSchema = z
  .object(
    {
      query: z.string(),
      documents: z.array(documentSchema, 'must be a list of texts').optional(),
      texts: z.array(z.string()).optional(),
      top_n: z.int().nullish(),
      return_documents: z.boolean().nullish(),
      model: z.string().nullish(),
    },
    'the body must be a JSON object',
  )
  .refine(({ documents, texts }) => documents !== undefined || texts !== undefined, {
    path: ['documents'],
    message: 'is required',
  });

/** Reranking in the form that Cohere, Jina and TEI share. Like theirs, the answer names the model that was used. */
export function rerankRoute(service: EmbeddingService, log: Logger): HttpRoute {
  return {
    method: 'POST',
    path: PATH,
    async handle(_request, response, { client, signal, body }) {
      const raw = await body();
      try {
        const answer = await rerank(service, parseBody(raw), { client, signal });
        nameModel(response, answer.identity);
        sendJson(response, 200, answer.body);
      } catch (error) {
        if (!(error instanceof ToolError)) log.error('http request failed', { path: PATH, error });
        const { code, message, details } = error instanceof ToolError ? error : internalError(error);
        sendFailure(response, { code, message, details }, 422, { message, error: { code, message, details } });
      }
    },
  };
}

async function rerank(service: EmbeddingService, body: unknown, caller: Parameters<EmbeddingService['rerank']>[3]) {
  if (body === undefined) throw notJson();
  const request = requestSchema.safeParse(body);
  if (!request.success) {
    throw invalidPayload(request.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  const { query, top_n: topN, return_documents: withDocuments, model } = request.data;
  const documents = request.data.documents ?? request.data.texts ?? [];
  // Clients of the other services name models of theirs; those mean the one in use.
  const listed = (await service.listModels()).some(({ name, sets }) => name === model || sets.includes(model ?? ''));
  const options = { topN: topN ?? undefined, ...(listed && { model: model ?? undefined }) };
  const ranked = await service.rerank(query, documents, options, caller);
  return {
    identity: ranked.model.identity,
    body: {
      model: ranked.model.name,
      method: ranked.method,
      results: ranked.results.map(({ index, score }) => ({
        index,
        relevance_score: score,
        ...(withDocuments && { document: { text: documents[index] } }),
      })),
    },
  };
}
