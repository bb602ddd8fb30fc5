export const QUALITY_CATEGORIES = ['general', 'reasoning', 'coding', 'writing', 'analysis', 'creative'] as const;

export type QualityCategory = (typeof QUALITY_CATEGORIES)[number];

export const PASSING_SCORE = 0.6;

/** Stands beside every score, so that no reader takes it for a judgement of the content. */
export const SCORE_BASIS =
  'Scores judge the form of an answer (length, structure, words shared with the prompt, marks of the category), not whether it is true.';

export interface Quality {
  /** Between 0 and 1: the mean of the criteria. */
  readonly score: number;
  readonly criteria: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

const REASONING_WORDS = ['because', 'therefore', 'thus', 'since', 'first', 'then', 'so', 'if', 'hence', 'finally'];
const BALANCE_WORDS = ['however', 'although', 'whereas', 'while', 'advantage', 'disadvantage', 'but', 'on the other'];

/** A heuristic on the form of an answer. It sees length, structure and marks of the category, not whether it is true. */
export function scoreResponse(prompt: string, response: string, category: QualityCategory): Quality {
  const text = response.trim();
  if (text.length < 10) return { score: 0, criteria: { length: 0 }, notes: ['The response is nearly empty'] };
  const criteria: Record<string, number> = {
    length: lengthScore(text.length),
    structure: /\n|[.!?]\s|^\s*(?:[-*]|\d+\.)\s/m.test(text) ? 1 : 0.6,
    relevance: relevance(prompt, text),
    ...categoryScore(text, category),
  };
  const scores = Object.values(criteria);
  return {
    score: Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 1000) / 1000,
    criteria,
    notes: Object.entries(criteria)
      .filter(([, score]) => score < PASSING_SCORE)
      .map(([name]) => `Weak on ${name.replaceAll('_', ' ')}`),
  };
}

function lengthScore(length: number): number {
  if (length < 50) return 0.3;
  if (length < 100) return 0.5;
  if (length < 2000) return 1;
  return length < 5000 ? 0.8 : 0.5;
}

/** An answer that shares no word with its question is likely about something else. */
function relevance(prompt: string, text: string): number {
  const asked = new Set(prompt.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  if (asked.size === 0) return 1;
  const lower = text.toLowerCase();
  return [...asked].some((word) => lower.includes(word)) ? 1 : 0.5;
}

function categoryScore(text: string, category: QualityCategory): Record<string, number> {
  const lower = text.toLowerCase();
  const count = (words: readonly string[]) => words.filter((word) => lower.includes(word)).length;
  switch (category) {
    case 'coding':
      return {
        code: /```|\b(?:function|def|class|return|const|let|import)\b|[{};]\s*$/m.test(text) ? 1 : 0.3,
        comments: /\/\/|#\s|\/\*|"""/.test(text) ? 1 : 0.6,
      };
    case 'reasoning':
      return { reasoning: count(REASONING_WORDS) >= 3 ? 1 : count(REASONING_WORDS) > 0 ? 0.6 : 0.3 };
    case 'writing':
      return { substance: text.split(/\s+/).length >= 20 ? 1 : 0.4 };
    case 'analysis':
      return { balance: count(BALANCE_WORDS) >= 2 ? 1 : count(BALANCE_WORDS) === 1 ? 0.6 : 0.4 };
    case 'creative':
      return { variety: new Set(lower.split(/\W+/)).size / Math.max(1, lower.split(/\W+/).length) > 0.4 ? 1 : 0.6 };
    case 'general':
      return {};
  }
}
