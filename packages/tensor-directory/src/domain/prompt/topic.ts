import type { Filter } from '../filter.ts';
import { periodText } from './day.ts';
import { alt, type Input, look, type Match, many, map, type Parser, seq, token, word } from './parser.ts';

const LONGEST = 3;
const COST = 3;

/** Words that names, descriptions or tags of something stored have: "rain", "first layer". */
const topicWords: Parser<readonly string[]> = (input, at) => {
  const found: Match<readonly string[]>[] = [];
  let start = at;
  while (input.tokens[start]?.concepts.has('FILLER')) start++;
  const words: string[] = [];
  for (let place = start; place < start + LONGEST; place++) {
    const each = input.tokens[place];
    look(input, place);
    if (each?.kind !== 'word' || (each.concepts.size > 0 && !each.concepts.has('WEIGHTS'))) break;
    words.push(each.text);
    if (isAbout(input, words)) found.push({ value: [...words], next: place + 1, cost: COST, claims: [] });
  }
  return found;
};
const isAbout = (input: Input, words: readonly string[]) => input.isAbout?.(words) ?? false;
/** In front of the noun: "rain tensors". */
export const topicAdjective: Parser<Filter> = map(topicWords, (words) => ({ words: [...words] }));
/** Behind the noun: "tensors about rain". */
export const topic: Parser<Filter> = map(
  seq(many(word('ABOUT', 'OF', 'ON', 'WITH', 'CONTAINS'), 1), topicWords),
  ([, words]) => ({
    words: [...words],
  }),
);
const data = token((each) =>
  /^(?:data|datasets?|series|measurements|readings|stuff|things|files|entries|values|daten|datos|données|数据)$/i.test(
    each.text,
  )
    ? each.text
    : undefined,
);
/** "Sales data" are tensors. */
export const topicNoun: Parser<Filter> = alt(map(seq(topicAdjective, data), ([found]) => found));

/** What days and what words were meant: both leave it open. */
export function matchedText(filter: Filter): string {
  return `${periodText(filter)}${topicText(filter)}`;
}

export function topicText({ words = [] }: Filter): string {
  if (words.length === 0) return '';
  const said = words.map((each) => `'${each}'`).join(', ');
  return ` Matched on the ${words.length === 1 ? 'word' : 'words'} ${said} in names, descriptions and tags.`;
}
