import { cjkShare } from '@atoll-mcp/storage/search';

interface Scored {
  readonly documentId: string;
  readonly chunk: number;
  readonly score: number;
}

export interface Fused {
  readonly documentId: string;
  readonly chunk: number;
  /** 0 to 1. */
  readonly score: number;
  readonly lexical: number | undefined;
  readonly cosine: number | undefined;
}

/** How much words count against meaning; measured in bench/quality.mjs and bench/languages.mjs. */
const WORDS = 2;
/** More for Chinese: of the pairs of signs that a question is cut into, a passage that answers it has fewer. */
const WORDS_IN_PAIRS = 4;

export const wordsWeightFor = (question: string): number => WORDS + (WORDS_IN_PAIRS - WORDS) * cjkShare(question);

/**
 * Words by the share of the question that a passage covers, meaning by its cosine. Neither is scaled to the best one found: where the
 * best passage has one word of ten, as with a question in another language, words say little and must count little. `trust` is how
 * far the model understands the question, 0 to 1.
 */
export function fuse(
  { lexical, lexicalBound }: { lexical: readonly Scored[]; lexicalBound: number },
  dense: readonly Scored[],
  { wordsWeight = WORDS, trust = 1 } = {},
): Fused[] {
  const fused = new Map<string, { hit: Scored; lexical?: number; cosine?: number }>();
  for (const hit of lexical) fused.set(keyOf(hit), { hit, lexical: hit.score });
  for (const hit of dense) {
    const known = fused.get(keyOf(hit));
    if (known) known.cosine = Math.max(hit.score, known.cosine ?? -1);
    else fused.set(keyOf(hit), { hit, cosine: hit.score });
  }
  const words = dense.length === 0 ? 1 : wordsWeight / (wordsWeight + trust);
  return [...fused.values()]
    .map(({ hit, lexical, cosine }) => ({
      documentId: hit.documentId,
      chunk: hit.chunk,
      lexical,
      cosine,
      score: words * (lexicalBound > 0 ? (lexical ?? 0) / lexicalBound : 0) + (1 - words) * Math.max(0, cosine ?? 0),
    }))
    .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Whether a model says of itself, by its name, that it learnt many languages. */
export const isMultilingual = (model: string): boolean =>
  /multilingual|bge-m3|-m3\b|labse|jina-embeddings-v3/i.test(model);

const keyOf = (hit: { documentId: string; chunk: number }): string => `${hit.documentId}\n${hit.chunk}`;
