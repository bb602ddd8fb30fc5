import { cjkShare } from '@atoll-mcp/storage/search';

export interface Scored {
  readonly documentId: string;
  readonly chunk: number;
  readonly score: number;
}

export interface Fused {
  readonly documentId: string;
  readonly chunk: number;
  /** 0 to 1, comparable within one search only. */
  readonly score: number;
  readonly lexical: number | undefined;
  readonly cosine: number | undefined;
}

/**
 * A convex combination: BM25 by its best, cosine between the least and the greatest found. It beats reciprocal ranks
 * on the sets it was measured on, because how much better a hit is counts, not only that it is.
 */
export function fuse(lexical: readonly Scored[], dense: readonly Scored[], denseWeight: number): Fused[] {
  const best = lexical[0]?.score ?? 0;
  const top = dense[0]?.score ?? 0;
  const least = dense.at(-1)?.score ?? 0;
  const fused = new Map<string, { hit: Scored; lexical?: number; cosine?: number }>();
  for (const hit of lexical) fused.set(keyOf(hit), { hit, lexical: hit.score });
  for (const hit of dense) {
    const known = fused.get(keyOf(hit));
    if (known) known.cosine = hit.score;
    else fused.set(keyOf(hit), { hit, cosine: hit.score });
  }
  const weight = dense.length === 0 ? 0 : lexical.length === 0 ? 1 : denseWeight;
  return [...fused.values()]
    .map(({ hit, lexical, cosine }) => ({
      documentId: hit.documentId,
      chunk: hit.chunk,
      lexical,
      cosine,
      score:
        (1 - weight) * (best > 0 ? (lexical ?? 0) / best : 0) +
        weight * (cosine === undefined ? 0 : top > least ? (cosine - least) / (top - least) : 1),
    }))
    .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
}

const DENSE_WEIGHT = 0.35;
const DENSE_WEIGHT_ABROAD = 0.05;

/** Whether a model says of itself, by its name, that it learnt many languages. */
export const isMultilingual = (model: string): boolean =>
  /multilingual|bge-m3|-m3\b|labse|jina-embeddings-v3/i.test(model);

/** How far to trust vectors for a question: a model that learnt one language says little about another. */
export function denseWeightFor(question: string, options: { multilingual: boolean }): number {
  const abroad = options.multilingual ? 0 : cjkShare(question);
  return DENSE_WEIGHT + (DENSE_WEIGHT_ABROAD - DENSE_WEIGHT) * abroad;
}

const keyOf = (hit: { documentId: string; chunk: number }): string => `${hit.documentId}\n${hit.chunk}`;
