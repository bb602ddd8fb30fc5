export { allowedValues, isRange } from './rules/attributes.ts';
export { stem } from './search/analysis/stem.ts';
export { chineseStopWords, englishStopWords } from './search/analysis/stop-words.ts';
export { cjkShare, isCjk, tokenise, tokeniseForIndex } from './search/analysis/tokenise.ts';
export { idf, MOST_OCCURRENCES, MOST_SATURATION, saturation } from './search/bm25.ts';
export { occurrences } from './search/occurrences.ts';
export { openKernel, type WasmMemory } from './search/open-kernel.ts';
export { type ChunkTerms, decodePostings, encodePostings } from './search/postings.ts';
export { TopK } from './search/top-k.ts';
