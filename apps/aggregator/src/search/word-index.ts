import { tokensOf } from './tokens.ts';

export interface SearchDocument {
  readonly name: string;
  /** Weighted texts: a name counts more than a description. */
  readonly fields: readonly { readonly text: string; readonly weight: number }[];
}

const K1 = 1.2;
const B = 0.6;

/** BM25 over weighted fields; small enough to be rebuilt whenever the tools change. */
export class WordIndex {
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: number[] = [];
  readonly #names: string[] = [];
  readonly #average: number;

  constructor(documents: readonly SearchDocument[]) {
    documents.forEach((document, index) => {
      this.#names.push(document.name);
      let length = 0;
      for (const { text, weight } of document.fields) {
        for (const token of tokensOf(text)) {
          const posting = this.#postings.get(token) ?? new Map<number, number>();
          posting.set(index, (posting.get(index) ?? 0) + weight);
          this.#postings.set(token, posting);
          length += weight;
        }
      }
      this.#lengths.push(length);
    });
    this.#average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.#lengths.length);
  }

  /** Names with their scores, best first. */
  search(query: string): { name: string; score: number }[] {
    const scores = new Map<number, number>();
    for (const token of new Set(tokensOf(query))) {
      for (const [index, frequency] of this.#postingsOf(token)) {
        const norm = 1 - B + (B * (this.#lengths[index] ?? 0)) / this.#average;
        const weight = this.#idf(token) * ((frequency * (K1 + 1)) / (frequency + K1 * norm));
        scores.set(index, (scores.get(index) ?? 0) + weight);
      }
    }
    return [...scores]
      .map(([index, score]) => ({ name: this.#names[index] ?? '', score, index }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .map(({ name, score }) => ({ name, score }));
  }

  /** The word itself, or else words that begin with it. */
  #postingsOf(token: string): ReadonlyMap<number, number> {
    const exact = this.#postings.get(token);
    if (exact || token.length < 3) return exact ?? new Map();
    const merged = new Map<number, number>();
    for (const [word, posting] of this.#postings) {
      if (!word.startsWith(token)) continue;
      for (const [index, frequency] of posting) merged.set(index, (merged.get(index) ?? 0) + frequency / 2);
    }
    return merged;
  }

  #idf(token: string): number {
    const matching = this.#postingsOf(token).size;
    return Math.log(1 + (this.#names.length - matching + 0.5) / (matching + 0.5));
  }
}
