/** Share of meaning in a fused score; the rest is exact terms. */
const MEANING = 0.7;
/** A sentence shorter than this is joined with the next. */
const LEAST_CHARACTERS = 40;
const MOST_WINDOWS = 12;
const SATURATION = 0.9;
const LENGTH_SHARE = 0.4;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The sentences of a document, short ones joined; few enough that a long document costs no more than twelve. */
export function sentenceWindows(text: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1);
    if (last !== undefined && last.length < LEAST_CHARACTERS) sentences[sentences.length - 1] = last + segment;
    else sentences.push(segment);
  }
  const perWindow = Math.ceil(sentences.length / MOST_WINDOWS);
  const windows: string[] = [];
  for (let at = 0; at < sentences.length; at += perWindow) windows.push(sentences.slice(at, at + perWindow).join(''));
  return windows.map((window) => window.trim()).filter((window) => window !== '');
}

/** Words in lower case; scripts without spaces as pairs of characters. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word)) terms.push(word);
    else if ([...word].length === 1) terms.push(word);
    else for (let at = 0, all = [...word]; at + 1 < all.length; at++) terms.push(all[at]! + all[at + 1]!);
  }
  return terms;
}

/** How well each document holds the terms of the query: BM25 among these documents, the best being 1. */
export function termScores(query: string, documents: readonly string[]): number[] {
  const counted = documents.map((document) => {
    const counts = new Map<string, number>();
    for (const term of termsOf(document)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  });
  const lengths = counted.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / documents.length);
  const scores = documents.map(() => 0);
  for (const term of new Set(termsOf(query))) {
    const holders = counted.filter((counts) => counts.has(term)).length;
    const weight = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    for (const [index, counts] of counted.entries()) {
      const count = counts.get(term) ?? 0;
      const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * lengths[index]!) / meanLength;
      scores[index] = scores[index]! + (weight * count) / (count + SATURATION * norm);
    }
  }
  const best = Math.max(...scores);
  return best > 0 ? scores.map((score) => score / best) : scores;
}

/** One score between 0 and 1 per document, of its nearest sentence and its exact terms. */
export function fuse(meaning: readonly number[], terms: readonly number[]): number[] {
  return meaning.map((cosine, index) => MEANING * Math.max(0, cosine) + (1 - MEANING) * terms[index]!);
}
