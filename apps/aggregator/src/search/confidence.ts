export type Confidence = 'high' | 'medium' | 'low';

/** From which score on a match is right in about nine, and in about six of ten cases; measured in bench/tool-recall.mjs. */
const LIMITS = {
  meaning: { high: 0.72, medium: 0.5 },
  words: { high: 0.5, medium: 0.25 },
} as const;

export function confidenceOf(score: number, usedMeaning: boolean): Confidence {
  const { high, medium } = LIMITS[usedMeaning ? 'meaning' : 'words'];
  return score >= high ? 'high' : score >= medium ? 'medium' : 'low';
}
