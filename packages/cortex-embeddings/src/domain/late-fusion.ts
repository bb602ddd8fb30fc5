import {
  chineseStopWords,
  englishStopWords,
  idf,
  MAX_SATURATION,
  saturation,
  tokenise,
} from '@atoll-mcp/storage/search';

/** Share of meaning in a fused score; the rest is exact terms. */
const MEANING = 0.5;
/** A sentence shorter than this is joined with the next. */
const MIN_CHARACTERS = 40;
const MAX_WINDOWS = 12;

/** As terms: "does" becomes "doe". */
const smallWords = new Set([...englishStopWords, ...chineseStopWords].flatMap(tokenise));

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The sentences of a document, short ones joined; few enough that a long document costs no more than twelve. */
export function sentenceWindows(text: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1);
    if (last !== undefined && last.length < MIN_CHARACTERS) sentences[sentences.length - 1] = last + segment;
    else sentences.push(segment);
  }
  const perWindow = Math.ceil(sentences.length / MAX_WINDOWS);
  const windows: string[] = [];
  for (let at = 0; at < sentences.length; at += perWindow) windows.push(sentences.slice(at, at + perWindow).join(''));
  return windows.map((window) => window.trim()).filter((window) => window !== '');
}

/** Words that say something; a question of nothing else keeps them. */
function termsOf(text: string): string[] {
  const terms = tokenise(text);
  const told = terms.filter((term) => !smallWords.has(term));
  return told.length > 0 ? told : terms;
}

/** Which share of the query's weight each document covers: BM25 among these documents, between 0 and 1. */
export function termScores(query: string, documents: readonly string[]): number[] {
  const counted = documents.map((document) => {
    const counts = new Map<string, number>();
    for (const term of termsOf(document)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  });
  const lengths = counted.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / documents.length);
  const scores = documents.map(() => 0);
  let bound = 0;
  for (const term of new Set(termsOf(query))) {
    const weight = idf(documents.length, counted.filter((counts) => counts.has(term)).length);
    bound += weight * MAX_SATURATION;
    for (const [index, counts] of counted.entries()) {
      const count = counts.get(term) ?? 0;
      if (count > 0) scores[index] = scores[index]! + weight * saturation(count, lengths[index]!, meanLength);
    }
  }
  return bound > 0 ? scores.map((score) => score / bound) : scores;
}

/** One score between 0 and 1 per document, of its meaning and its exact terms. */
export function fuse(meaning: readonly number[], terms: readonly number[]): number[] {
  return meaning.map((cosine, index) => MEANING * Math.max(0, cosine) + (1 - MEANING) * terms[index]!);
}
