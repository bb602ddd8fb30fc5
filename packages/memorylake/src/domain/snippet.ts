import { tokenise } from '@atoll-mcp/storage/search';
import { cutToWeight, sentences } from './text/sentences.ts';

/**
 * A stretch of a passage that begins with the sentence or row that holds most of what was asked, and goes on with what follows it. Measured
 * in bench/snippets.mjs: a stretch chosen as a whole shows the answer less often, and later.
 */
export function bestSnippet(text: string, boosts: ReadonlyMap<string, number>, maxCharacters: number): string {
  const whole = text.replace(/[ \t]+/g, ' ').trim();
  if (whole.length <= maxCharacters) return whole;
  const parts = whole
    .split(/(?<=\n)/)
    .flatMap((line) => (line.length > maxCharacters ? sentences(line) : [line]))
    .flatMap((part) => (part.length > maxCharacters ? cutToWeight(part, PIECE) : [part]));
  const scores = scoresOf(parts, boosts);
  const from = scores.indexOf(Math.max(...scores));
  let to = from + 1;
  for (let length = parts[from]!.length; to < parts.length; to++) {
    length += parts[to]!.length;
    if (length > maxCharacters) break;
  }
  const found = parts.slice(from, to).join('').trim();
  const cut = found.length > maxCharacters ? around(found, boosts, maxCharacters) : found;
  const stretch = `${from > 0 && !cut.startsWith('…') ? '…' : ''}${cut}${to < parts.length && !cut.endsWith('…') ? '…' : ''}`;
  const others = parts.map((part, at) => ({ text: part.trim(), score: at < from || at >= to ? scores[at]! : 0 }));
  const next = bestThatFits(others, maxCharacters - stretch.length);
  return next === undefined ? stretch : `${stretch}\n…${next}`;
}

/** Where there is room left, the best of the other parts; each begins a line, so that rows are not read as one. */
function bestThatFits(parts: readonly { text: string; score: number }[], room: number): string | undefined {
  const fitting = parts.filter(({ text, score }) => score > 0 && text.length < room);
  return fitting.sort((a, b) => b.score - a.score)[0]?.text;
}

/** What is too long for a snippet, or has no ends of sentences, as in Thai, is cut at spaces into pieces of about this length. */
const PIECE = 160;

/** A term that most parts of the passage have says little about which of them answers. */
function scoresOf(parts: readonly string[], boosts: ReadonlyMap<string, number>): number[] {
  const asked = parts.map((part) => [...new Set(tokenise(part))].filter((term) => boosts.has(term)));
  const counts = new Map<string, number>();
  for (const term of asked.flat()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weigh = (term: string) => boosts.get(term)! * Math.log1p(parts.length / counts.get(term)!);
  return asked.map((terms) => terms.reduce((sum, term) => sum + weigh(term), 0));
}

// One sentence longer than the snippet: keep what stands around the first term that was asked for.
function around(text: string, boosts: ReadonlyMap<string, number>, maxCharacters: number): string {
  const lower = text.toLowerCase();
  const places = [...boosts.keys()].map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - Math.floor(maxCharacters / 4));
  return `${from > 0 ? '…' : ''}${text.slice(from, from + maxCharacters).trim()}${from + maxCharacters < text.length ? '…' : ''}`;
}
