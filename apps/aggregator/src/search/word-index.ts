import { idf, saturation } from '@atoll-mcp/storage/search';
import { termsOf } from './terms.ts';

/** Weighted texts of one document: a name counts more than a description. */
export type Fields = readonly { readonly text: string; readonly weight: number }[];

/** A term that only begins a word of a document counts half. */
const PREFIX_SHARE = 0.5;
const SHORTEST_PREFIX = 4;
/** What a term adds to a document that is full of it. */
const MOST_SATURATION = saturation(Number.MAX_SAFE_INTEGER, 0, 1);

type Posting = ReadonlyMap<number, number>;

/** The terms of a document and what each counts. */
export interface WeightedTerms {
  readonly terms: readonly string[];
  readonly weights: readonly number[];
}

export function weightedTerms(fields: Fields): WeightedTerms {
  const weights = new Map<string, number>();
  for (const { text, weight } of fields) {
    for (const term of termsOf(text)) weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  return { terms: [...weights.keys()], weights: [...weights.values()] };
}

/** BM25 over weighted terms; small enough to be rebuilt whenever the tools change, if their terms are kept. */
export class WordIndex {
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: number[] = [];
  readonly #average: number;

  constructor(documents: readonly WeightedTerms[]) {
    documents.forEach(({ terms, weights }, index) => {
      terms.forEach((term, place) => {
        const posting = this.#postings.get(term);
        if (posting) posting.set(index, weights[place]!);
        else this.#postings.set(term, new Map([[index, weights[place]!]]));
      });
      this.#lengths.push(weights.reduce((sum, weight) => sum + weight, 0));
    });
    this.#average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.#lengths.length) || 1;
  }

  /** One score per document between 0 and 1: which share of the query's weight it covers. */
  scores(query: string): Float64Array {
    const scores = new Float64Array(this.#lengths.length);
    let best = 0;
    for (const term of new Set(termsOf(query))) {
      const posting = this.#postingOf(term);
      const weight = idf(this.#lengths.length, posting.size);
      best += weight * MOST_SATURATION;
      for (const [index, frequency] of posting) {
        const share = weight * saturation(frequency, this.#lengths[index] ?? 0, this.#average);
        scores[index] = (scores[index] ?? 0) + share;
      }
    }
    return best === 0 ? scores : scores.map((score) => score / best);
  }

  /** The term itself, or else the words that begin with it. */
  #postingOf(term: string): Posting {
    const exact = this.#postings.get(term);
    if (exact || term.length < SHORTEST_PREFIX) return exact ?? new Map();
    const merged = new Map<number, number>();
    for (const [word, posting] of this.#postings) {
      if (!word.startsWith(term)) continue;
      for (const [index, frequency] of posting) merged.set(index, (merged.get(index) ?? 0) + frequency * PREFIX_SHARE);
    }
    return merged;
  }
}
