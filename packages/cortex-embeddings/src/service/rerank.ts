import { relatedness } from '@atoll-mcp/storage/search';
import type { Embedder, Reranker } from '../backends/interface.ts';
import { fuse, sentenceWindows, termScores } from '../domain/late-fusion.ts';
import { dotProduct, rankingOf } from '../domain/vector.ts';
import { badTopN } from '../errors.ts';
import type { Caller } from '../service.ts';
import type { EmbeddingPipeline } from './embedding-pipeline.ts';

export interface RerankResult {
  /** How the scores came about: a cross-encoder, or sentence vectors and exact terms together. */
  readonly method: 'cross-encoder' | 'late-fusion';
  readonly model: { readonly name: string; readonly identity: string };
  /** Best first. */
  readonly results: readonly { readonly index: number; readonly score: number }[];
}

export function checkTopN(topN: number | undefined): void {
  if (topN !== undefined && topN < 1) throw badTopN(topN);
}

export async function rerankWith(
  reranker: Reranker,
  query: string,
  documents: readonly string[],
  topN: number | undefined,
  { signal }: Caller,
): Promise<RerankResult> {
  const scores = await reranker.score(query, documents, signal);
  return { method: 'cross-encoder', model: reranker.model, results: best(scores, topN) };
}

/** Without a cross-encoder: each document and its nearest sentence, and the exact terms that it shares with the query. */
export async function rerankByFusion(
  pipeline: EmbeddingPipeline,
  embedder: Embedder,
  query: string,
  documents: readonly string[],
  topN: number | undefined,
  caller: Caller,
): Promise<RerankResult> {
  const { prompts, name, identity, unrelatedCosine } = embedder.model;
  // Each document as a whole, then its sentences, of which the nearest counts.
  const windows = documents.map((document) => [document, ...sentenceWindows(document)]);
  const texts = [prompts.query + query, ...windows.flat().map((window) => prompts.passage + window)];
  const [asked, ...embeddings] = await pipeline.embed(embedder, texts, {}, caller);
  let next = 0;
  const meaning = windows.map(({ length }) => {
    const own = embeddings.slice(next, next + length);
    next += length;
    const [whole = 0, ...within] = own.map(({ vector }) =>
      relatedness(dotProduct(asked!.vector, vector), unrelatedCosine),
    );
    return (whole + Math.max(whole, ...within)) / 2;
  });
  return {
    method: 'late-fusion',
    model: { name, identity },
    results: best(fuse(meaning, termScores(query, documents)), topN),
  };
}

function best(scores: readonly number[], topN = scores.length): RerankResult['results'] {
  return rankingOf(scores)
    .slice(0, topN)
    .map((index) => ({ index, score: scores[index]! }));
}
