import { tokenise } from '@atoll-mcp/storage/search';
import type { ParsedQuery } from './parse-query.ts';

export interface WeightedTerm {
  readonly term: string;
  readonly boost: number;
}

const WEIGHTS = { query: 1, keyword: 0.25, entity: 0.5 } as const;
/** What a caller boosts counts about twice a plain word. What we choose ourselves is raised only a little: it is a guess. */
const BOOSTS = { chosenByCaller: 1.5, chosenHere: 0.25 } as const;
const MAX_TERMS = 64;

/** What to look for, and how much each term counts: a name that is also boosted counts more than a plain word. */
export function queryTerms(query: ParsedQuery, isByCaller: boolean): WeightedTerm[] {
  const boosts = new Map<string, number>();
  const add = (texts: readonly string[], weight: number) => {
    for (const term of new Set(texts.flatMap(tokenise))) boosts.set(term, (boosts.get(term) ?? 0) + weight);
  };
  add([query.bm25CleanedQuery], WEIGHTS.query);
  add(query.bm25Keywords, WEIGHTS.keyword);
  add(query.bm25BoostKeywords, isByCaller ? BOOSTS.chosenByCaller : BOOSTS.chosenHere);
  add(query.namedEntities, WEIGHTS.entity);
  return [...boosts]
    .map(([term, boost]) => ({ term, boost }))
    .sort((a, b) => b.boost - a.boost)
    .slice(0, MAX_TERMS);
}
