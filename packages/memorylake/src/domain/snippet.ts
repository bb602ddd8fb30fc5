import { tokenise } from '@atoll-mcp/storage/search';
import { sentences } from './text/sentences.ts';

/** The stretch of a passage that holds most of what was asked, in whole sentences or rows where they fit. */
export function bestSnippet(text: string, boosts: ReadonlyMap<string, number>, longest: number): string {
  const whole = text.replace(/[ \t]+/g, ' ').trim();
  if (whole.length <= longest) return whole;
  const parts = whole.split('\n').flatMap((line) => (line.length > longest ? sentences(line) : [line]));
  const scores = parts.map((part) => scoreOf(part, boosts));
  let best = { from: 0, to: 1, score: -1 };
  for (let from = 0; from < parts.length; from++) {
    let length = 0;
    let score = 0;
    for (let to = from; to < parts.length; to++) {
      length += parts[to]!.length + 1;
      if (to > from && length > longest) break;
      score += scores[to]!;
      if (score > best.score) best = { from, to: to + 1, score };
    }
  }
  const found = parts.slice(best.from, best.to).join('\n').trim();
  const cut = found.length > longest ? around(found, boosts, longest) : found;
  return `${best.from > 0 && !cut.startsWith('…') ? '…' : ''}${cut}${best.to < parts.length && !cut.endsWith('…') ? '…' : ''}`;
}

function scoreOf(part: string, boosts: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const term of new Set(tokenise(part))) score += boosts.get(term) ?? 0;
  return score;
}

// One sentence longer than the snippet: keep what stands around the first term that was asked for.
function around(text: string, boosts: ReadonlyMap<string, number>, longest: number): string {
  const lower = text.toLowerCase();
  const places = [...boosts.keys()].map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - Math.floor(longest / 4));
  return `${from > 0 ? '…' : ''}${text.slice(from, from + longest).trim()}${from + longest < text.length ? '…' : ''}`;
}
