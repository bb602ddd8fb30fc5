import { parseUuid } from '../references.ts';
import { withNoun } from './described.ts';
import type { Concept } from './english.ts';
import {
  alt,
  type Claim,
  type Input,
  look,
  type Match,
  many,
  map,
  opt,
  type Parser,
  rule,
  seq,
  type Token,
  token,
  word,
} from './parser.ts';

/** The result of the step before, which has no number yet. */
export const PREVIOUS = 0;

const MAX_NAME_TOKENS = 4;

/** Formed like a name that is not an ordinary word: `my_tensor`, `v2`, `a.b`, a uuid. */
function isIdentifier({ kind, text, concepts }: Token): boolean {
  if (kind !== 'word' || concepts.size > 0) return false;
  return /[_@]|\p{L}.*\d|\d.*\p{L}|\p{L}[./-]\p{L}|[a-z][A-Z]/u.test(text) || parseUuid(text) !== undefined;
}

/** What is formed like a name, whether it is there or not. */
export const identifier: Parser<string> = (input, at) =>
  token((each) => (isIdentifier(each) ? each.text : undefined))(input, at).map((match) => ({
    ...match,
    claims: [{ kind: 'any' as const, name: match.value, must: false }],
  }));

/** Words that are never a name unless they are quoted. */
const CLOSED: readonly Concept[] = ['FILLER', 'NOT', 'DELETE', 'CHANGE', 'BUT', 'AND', 'OR', 'STOP', 'COMMA'];

type Kind = Claim['kind'];

/** A name by itself. Ordinary words count only if there is something of that name. */
function bareName(kind: Kind): Parser<string> {
  return (input, at) => {
    const found: Match<string>[] = [];
    const { tokens, isThere } = input;
    let place = at;
    while (tokens[place]?.concepts.has('FILLER')) place++;
    const first = tokens[place];
    look(input, place);
    if (!first) return found;
    const add = (name: string, next: number, must: boolean, cost: number) =>
      found.push({ value: name, next, cost, claims: [{ kind, name, must }] });
    if (first.kind === 'quoted') add(first.text, place + 1, false, 0);
    else if (isIdentifier(first)) add(first.text, place + 1, false, 0);
    else {
      // From the first filler on, too: a name may begin with "my" or "the".
      for (let from = Math.max(at, place - 2); from <= place; from++) {
        for (let size = 1; size <= MAX_NAME_TOKENS && from + size <= tokens.length; size++) {
          const part = tokens.slice(from, from + size);
          const isOpen = part.every(
            (each) => (each.kind === 'word' || each.kind === 'number') && each.concepts.size === 0,
          );
          const isAny = part.every((each) => each.kind === 'word' || each.kind === 'number');
          look(input, from + size - 1);
          if (!isAny) break;
          if (size === 1 && CLOSED.some((concept) => part[0]!.concepts.has(concept))) continue;
          const text = part.map((each) => each.text).join(' ');
          // What is not there may still be what an earlier step is to store.
          const isOpenName = tokens.slice(0, from).some((each) => each.text === text);
          if (isThere && !isThere(kind, text) && !isOpenName) continue;
          add(text, from + size, true, isOpen ? 0.1 * size : 2 + size);
        }
      }
    }
    return found;
  };
}

/** The key before "=": letters that are articles elsewhere count too. */
export const keyName: Parser<string> = (input, at) => {
  const { tokens } = input;
  const each = tokens[at];
  look(input, at + 1);
  const isKey = (each?.kind === 'word' || each?.kind === 'quoted') && /^[=:]$/.test(tokens[at + 1]?.text ?? '');
  return isKey ? [{ value: each.text, next: at + 1, cost: 0, claims: [] }] : [];
};

/** "As float32", "to disk" and "later" are not names unless they are quoted. */
const UNNAMED: readonly Concept[] = ['FILLER', 'NOT', 'BUT', 'AND', 'OR', 'DTYPE_NAME', 'ELSEWHERE', 'EXCEPT'];
const KIND_OF_NUMBER = /^(?:float|int|integer|bool|boolean)s?$/i;
/** Any single word as a name, where nothing else can stand. */
export const anyName: Parser<string> = token((each) => {
  if (each.kind === 'quoted') return each.text;
  const isWord = each.kind === 'word' || each.kind === 'number';
  const isTaken = UNNAMED.some((concept) => each.concepts.has(concept)) || KIND_OF_NUMBER.test(each.text);
  return isWord && !isTaken ? each.text : undefined;
});

/** The name beside "tensor" or "model": "tensor named X", "the X tensor". A missing one is worth an answer. */
function nounName(kind: 'tensor' | 'model'): Parser<string> {
  const noun: Concept = kind === 'tensor' ? 'TENSOR' : 'MODEL';
  const sure =
    (name: Parser<string>): Parser<string> =>
    (input, at) =>
      name(input, at).map((match) => ({ ...match, claims: [{ kind, name: match.value, must: false }] }));
  const plain = token((each) =>
    each.kind === 'quoted' || (each.kind === 'word' && each.concepts.size === 0) ? each.text : undefined,
  );
  const letter: Parser<string> = (input, at) => letterAt(input, at);
  const afterNamed = token((each) =>
    each.kind === 'quoted' || (each.kind === 'word' && each.concepts.size === 0) ? each.text : undefined,
  );
  const named = map(
    seq(word('NAMED'), opt(word('EQUALS')), alt(sure(afterNamed), bareName(kind))),
    ([, , name]) => name,
  );
  return alt(
    map(seq(word(noun), opt(word('COLON')), alt(sure(plain), sure(letter), bareName(kind))), ([, , name]) => name),
    map(seq(word(noun), named), ([, name]) => name),
    // "名为 X 的张量": the naming comes first.
    map(seq(named, word(noun)), ([name]) => name),
    map(seq(bareName(kind), word(noun)), ([name]) => name),
  );
}

/** "Run model a on b" names a model; "run a model on b" does not. */
function letterAt(input: Input, at: number): readonly Match<string>[] {
  const { tokens } = input;
  const each = tokens[at];
  look(input, at + 1);
  if (each?.kind !== 'word' || !/^\p{L}$/u.test(each.text)) return [];
  const next = tokens[at + 1];
  const ends =
    !next ||
    next.kind === 'mark' ||
    ['AND', 'ON', 'WITH', 'AS', 'THEN', 'HAVE', 'EXIST', 'OF'].some((c) => next.concepts.has(c as Concept));
  return ends ? [{ value: each.text, next: at + 1, cost: 0, claims: [] }] : [];
}

export const modelName: Parser<string> = rule(() => alt(nounName('model'), bareName('model'), withNoun('model')));
export const tensorName: Parser<string> = rule(() => alt(nounName('tensor'), bareName('tensor'), withNoun('tensor')));

/** A name that may be of a tensor or of a model, with what was said of its kind. */
export const itemName: Parser<{ kind: Kind; name: string }> = rule(() =>
  alt(
    map(nounName('tensor'), (name) => ({ kind: 'tensor' as const, name })),
    map(nounName('model'), (name) => ({ kind: 'model' as const, name })),
    map(bareName('any'), (name) => ({ kind: 'any' as const, name })),
    map(withNoun('tensor'), (name) => ({ kind: 'tensor' as const, name })),
    map(withNoun('model'), (name) => ({ kind: 'model' as const, name }), 0.5),
    // "anything called X"
    map(seq(word('ITEMS'), word('NAMED'), bareName('any')), ([, , name]) => ({ kind: 'any' as const, name })),
  ),
);

const isCount = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value > 0;
/** "The second newest" is not "the newest two". */
export const count = token((each) => (isCount(each.value) && !each.concepts.has('ORDINAL') ? each.value : undefined));
/** "10", "10th". */
export const countOrPlace = token((each) => (isCount(each.value) ? each.value : undefined));

/** Between the entries of a list. */
export const and: Parser<unknown> = alt(
  word('AND'),
  word('COMMA'),
  map(seq(word('COMMA'), word('AND')), () => true),
);
/** Words that only ask. */
export const asking: Parser<Token[]> = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'EXIST'));
