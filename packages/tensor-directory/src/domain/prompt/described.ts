import type { Concept } from './english.ts';
import { alt, type Claim, look, type Match, many, map, type Parser, seq, type Token, token, word } from './parser.ts';

/** Begins the place of a name that is still to be found by what describes it. */
const MARK = '\uE000';
const LONGEST = 6;
const COST = 4;
const CONCEPT_COST = 1;
/** Words that join or end a clause, and those that change what is asked, describe nothing. */
const CLOSED: readonly Concept[] = [
  'NOT',
  'DELETE',
  'CHANGE',
  'BUT',
  'AND',
  'OR',
  'STOP',
  'COMMA',
  'EXCEPT',
  'THEN',
  'BEYOND',
  'IF',
  'OTHERWISE',
  'IT',
  'WHAT',
  'ALL',
  'CALL',
  'ELSEWHERE',
  'DTYPE_NAME',
  'NEWEST',
  'OLDEST',
  'LARGEST',
  'SMALLEST',
];
const JOINING: readonly Concept[] = ['OF', 'FILLER'];

/** "temperatures in Berlin" for the one tensor whose name and description have these words. */
export function described(kind: 'tensor' | 'model'): Parser<string> {
  return (input, at) => {
    const { tokens, namesFor } = input;
    if (!namesFor) return [];
    const found: Match<string>[] = [];
    let start = at;
    while (tokens[start]?.concepts.has('FILLER')) start++;
    const add = (name: string, next: number, cost: number, more: Partial<Claim> = {}) => {
      const claim = { ...claimOf(kind, `${MARK}${name}`), ...more };
      if (namesFor(claim).length > 0) found.push({ value: claim.name, next, cost, claims: [claim] });
    };
    const first = tokens[start];
    look(input, Math.min(tokens.length, start + LONGEST));
    if (first?.kind === 'quoted') add(first.text, start + 1, COST, { isPlain: true });
    const words: Token[] = [];
    for (let place = start; place < tokens.length && place < start + LONGEST; place++) {
      const each = tokens[place]!;
      const isJoining = words.length > 0 && JOINING.some((concept) => each.concepts.has(concept));
      if (!isJoining && !isContent(each)) break;
      if (isJoining && each.concepts.size > 0) continue;
      words.push(each);
      const open = words.filter(({ concepts, kind: sort }) => concepts.size === 0 && sort === 'word');
      if (open.length === 0) continue;
      const cost = COST + 0.1 * words.length + CONCEPT_COST * (words.length - open.length);
      add(words.map(({ text }) => text).join(' '), place + 1, cost);
    }
    return found;
  };
}

/** "Double" for the one model that does this. */
export const describedWork: Parser<string> = (input, at) => {
  const { tokens, namesFor } = input;
  let start = at;
  while (tokens[start]?.concepts.has('FILLER')) start++;
  const each = tokens[start];
  look(input, start);
  if (!namesFor || each?.kind !== 'word') return [];
  if (each.concepts.size > 0 && !WORK.some((concept) => each.concepts.has(concept))) return [];
  const claim = { ...claimOf('model', `${MARK}${each.text}`), isWork: true };
  return namesFor(claim).length > 0 ? [{ value: claim.name, next: start + 1, cost: COST, claims: [claim] }] : [];
};
const WORK: readonly Concept[] = ['WORK', 'TRANSFORM'];

const data = token((each) =>
  /^(?:data|dataset|series|measurements?|vector|matrix|values|history|records?|readings|table|numbers)$/i.test(
    each.text,
  )
    ? each
    : undefined,
);
/** With a noun that says of what kind it is: "the rain tensor", "the growth model". */
export const withNoun = (kind: 'tensor' | 'model'): Parser<string> =>
  map(seq(described(kind), many(kind === 'tensor' ? alt(word('TENSOR'), data) : word('MODEL'))), ([name]) => name);

/** A description with one more word in front. */
export function withWord(word: string, name: string): string {
  return `${MARK}${word} ${wordsOf(name)}`;
}

export function wordsOf(name: string): string {
  return name.slice(MARK.length);
}

function isContent({ kind, concepts }: Token): boolean {
  const isEnd = concepts.has('FIRST') || concepts.has('LAST');
  return (kind === 'word' || kind === 'number') && (isEnd || !CLOSED.some((concept) => concepts.has(concept)));
}

function claimOf(kind: 'tensor' | 'model', name: string): Claim {
  return { kind, name, must: true, isDescribed: true };
}
