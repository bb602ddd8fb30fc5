import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { embeddingErrors } from '../errors.ts';
import { cacheMetrics, metricsOf, modelOption } from '../schemas.ts';

export const embeddingRerank = defineTool({
  name: 'embedding.rerank',
  title: 'Reorder documents for a query',
  description:
    'Orders documents by how well they answer the query, best first, each with index and score from 0 to 1. Uses a cross-encoder where installed, else the nearest sentence and exact terms (see metadata.method). Use it on the first results of a search.',
  keywords: 'sort search results by relevance, best answer first; reorder, ranking, cross-encoder',
  input: z
    .object({
      query: z.string().describe('Question or search'),
      documents: z.array(z.string()).describe('Documents to order'),
      top_n: z.int().optional().describe('How many of the best to return; default all'),
      model: modelOption,
    })
    .meta({
      title: 'RerankToolInput',
      examples: [
        { query: 'Where does the cat sleep?', documents: ['Stocks fell.', 'The cat sleeps on the sofa.'], top_n: 1 },
      ],
    }),
  output: z.object({
    results: z.array(
      z.object({
        index: z.int().describe('Place of the document in the call'),
        score: z.number().describe('Between 0 and 1; comparable within one answer'),
      }),
    ),
    metadata: z.object({
      method: z.enum(['cross-encoder', 'late-fusion']).describe('What made the scores'),
      model_name: z.string(),
      identity: z.string(),
      count: z.int().describe('How many documents there were'),
      cache_metrics: cacheMetrics,
    }),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: embeddingErrors,
  async run({ query, documents, top_n: topN, model }, { service, client, signal, progress }) {
    const ranked = await service.rerank(query, documents, { topN, model }, { client, signal, progress });
    return {
      results: ranked.results.map(({ index, score }) => ({ index, score })),
      metadata: {
        method: ranked.method,
        model_name: ranked.model.name,
        identity: ranked.model.identity,
        count: documents.length,
        cache_metrics: metricsOf(service.counters),
      },
    };
  },
});
