import { withDeadline } from '@atoll-mcp/core';
import { z } from 'zod';
import { backendRefused, modelUnavailable, wrongScores } from '../errors.ts';
import type { Reranker } from './interface.ts';

export interface RerankEndpointSettings {
  readonly url: string;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
}

const TIMEOUT_MS = 60_000;

const row = z.object({ index: z.int().min(0), relevance_score: z.number().optional(), score: z.number().optional() });
/** Cohere and Jina answer with `results`, TEI with a bare list and `score`. */
const answerSchema = z.union([z.object({ results: z.array(row) }).transform(({ results }) => results), z.array(row)]);

/** An endpoint that reranks in the form of Cohere, Jina or TEI: each takes what it knows of the request. */
export function rerankEndpoint({ url, model, apiKey }: RerankEndpointSettings): Reranker {
  const { host } = new URL(url);
  return {
    model: { name: model ?? host, identity: `rerank/${host}/${model ?? 'default'}` },
    async score(query, texts, signal) {
      const body = await withDeadline(TIMEOUT_MS, signal ?? new AbortController().signal, (ended) =>
        ask(query, texts, ended),
      );
      const answer = answerSchema.safeParse(body);
      if (!answer.success) throw wrongScores('something that is not a list of scores');
      const scores = new Map(answer.data.map((each) => [each.index, each.relevance_score ?? each.score]));
      return texts.map((_, index) => {
        const score = scores.get(index);
        if (score === undefined) throw wrongScores(`no score for document ${index}`);
        return score;
      });
    },
    close: async () => {},
  };

  async function ask(query: string, texts: readonly string[], signal: AbortSignal): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ query, documents: texts, texts, top_n: texts.length, ...(model && { model }) }),
      signal,
    }).catch((cause: unknown) => {
      throw modelUnavailable(
        'the rerank endpoint cannot be reached',
        'Check --rerank-url and that it is running',
        cause,
      );
    });
    if (!response.ok) throw backendRefused('rerank', response.status);
    return response.json().catch(() => undefined);
  }
}
