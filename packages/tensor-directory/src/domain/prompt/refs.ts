import type { TensorRef } from '../plan.ts';
import { parseUuid } from '../references.ts';
import type { Concept } from './english.ts';
import {
  alt,
  type Claim,
  type Input,
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

const LONGEST_NAME = 4;

/** Formed like a name that is not an ordinary word: `my_tensor`, `v2`, `a.b`, a uuid. */
function isIdentifier({ kind, text, concepts }: Token): boolean {
  if (kind !== 'word' || concepts.size > 0) return false;
  return /[_@]|\p{L}.*\d|\d.*\p{L}|\p{L}[./-]\p{L}|[a-z][A-Z]/u.test(text) || parseUuid(text) !== undefined;
}

/** Words that are never a name unless they are quoted. */
const CLOSED: readonly Concept[] = ['FILLER', 'NOT', 'DELETE', 'CHANGE', 'BUT', 'AND', 'OR', 'THEN', 'STOP', 'COMMA'];

type Kind = Claim['kind'];

/** A name by itself. Ordinary words count only if there is something of that name. */
function bareName(kind: Kind): Parser<string> {
  return (input, at) => {
    const found: Match<string>[] = [];
    const { tokens } = input;
    let place = at;
    while (tokens[place]?.concepts.has('FILLER')) place++;
    const first = tokens[place];
    if (!first) return found;
    const add = (name: string, next: number, must: boolean, cost: number) =>
      found.push({ value: name, next, cost, claims: [{ kind, name, must }] });
    if (first.kind === 'quoted') add(first.text, place + 1, false, 0);
    else if (isIdentifier(first)) add(first.text, place + 1, false, 0);
    else {
      // From the first filler on, too: a name may begin with "my" or "the".
      for (let from = Math.max(at, place - 2); from <= place; from++) {
        for (let size = 1; size <= LONGEST_NAME && from + size <= tokens.length; size++) {
          const part = tokens.slice(from, from + size);
          const isOpen = part.every(
            (each) => (each.kind === 'word' || each.kind === 'number') && each.concepts.size === 0,
          );
          const isAny = part.every((each) => each.kind === 'word' || each.kind === 'number');
          if (!isAny || (size === 1 && CLOSED.some((concept) => part[0]!.concepts.has(concept)))) continue;
          const text = part.map((each) => each.text).join(' ');
          add(text, from + size, true, isOpen ? 0.1 * size : 2 + size);
        }
      }
    }
    return found;
  };
}

/** The key before "=": letters that are articles elsewhere count too. */
export const keyName: Parser<string> = ({ tokens }, at) => {
  const each = tokens[at];
  const isKey = (each?.kind === 'word' || each?.kind === 'quoted') && /^[=:]$/.test(tokens[at + 1]?.text ?? '');
  return isKey ? [{ value: each.text, next: at + 1, cost: 0, claims: [] }] : [];
};

/** "As float32", "to disk" and "later" are not names unless they are quoted. */
const UNNAMED: readonly Concept[] = ['FILLER', 'NOT', 'BUT', 'DTYPE_NAME', 'ELSEWHERE', 'EXCEPT'];
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
function letterAt({ tokens }: Input, at: number): readonly Match<string>[] {
  const each = tokens[at];
  if (each?.kind !== 'word' || !/^\p{L}$/u.test(each.text)) return [];
  const next = tokens[at + 1];
  const ends =
    !next ||
    next.kind === 'mark' ||
    ['AND', 'ON', 'WITH', 'AS', 'THEN', 'HAVE', 'EXIST', 'OF'].some((c) => next.concepts.has(c as Concept));
  return ends ? [{ value: each.text, next: at + 1, cost: 0, claims: [] }] : [];
}

export const modelName: Parser<string> = rule(() => alt(nounName('model'), bareName('model')));
export const tensorName: Parser<string> = rule(() => alt(nounName('tensor'), bareName('tensor')));

/** A name that may be of a tensor or of a model, with what was said of its kind. */
export const itemName: Parser<{ kind: Kind; name: string }> = rule(() =>
  alt(
    map(nounName('tensor'), (name) => ({ kind: 'tensor' as const, name })),
    map(nounName('model'), (name) => ({ kind: 'model' as const, name })),
    map(bareName('any'), (name) => ({ kind: 'any' as const, name })),
    // "anything called X"
    map(seq(word('ITEMS'), word('NAMED'), bareName('any')), ([, , name]) => ({ kind: 'any' as const, name })),
  ),
);

const sliceText = token((each) =>
  each.kind === 'slice'
    ? each.text
    : each.kind === 'shape' && each.text.startsWith('[')
      ? each.text.slice(1, -1)
      : undefined,
);
export const count = token((each) =>
  each.value !== undefined && Number.isInteger(each.value) && each.value > 0 ? each.value : undefined,
);

const named: Parser<TensorRef> = map(seq(tensorName, opt(sliceText)), ([name, slice]) => ({
  name,
  ...(slice !== undefined && { slice }),
}));
const previous: Parser<TensorRef> = map(seq(alt(word('IT'), word('OUTPUT')), opt(sliceText)), ([each, slice]) => ({
  step: PREVIOUS,
  ...(!each.concepts.has('THEM') && { one: true }),
  ...(slice !== undefined && { slice }),
}));
/** "third", "第 3". */
const place: Parser<number> = alt(
  token((each) => (each.concepts.has('ORDINAL') ? each.value : undefined)),
  map(seq(word('NTH'), count), ([, value]) => value),
);
/** "first row", "last column", "row 2 … counting from zero". A bare "row 2" may be either of two. */
const line: Parser<{ row?: number; column?: number }> = (() => {
  const at: Parser<number> = alt(
    map(place, (nth) => nth - 1),
    map(word('FIRST'), () => 0),
    map(word('LAST'), () => -1),
  );
  // "最后一行"
  const axis = (concept: Concept, key: 'row' | 'column') =>
    map(seq(at, opt(count), word(concept)), ([index, size, said]) =>
      size === 1 || (size === undefined && !isPlural(said)) ? { [key]: index } : undefined,
    );
  return alt(axis('ROW', 'row'), axis('COLUMN', 'column'));
})();
const lines: Parser<{ row?: number; column?: number }> = map(
  seq(line, many(map(seq(many(word('AND', 'COMMA', 'OF', 'ON'), 1), line), ([, found]) => found))),
  ([first, rest]) =>
    rest.some((each) => Object.keys(each)[0] === Object.keys(first)[0]) ? undefined : Object.assign({}, first, ...rest),
);
/** "first two rows", "letzten 3 Spalten", as a slice of two axes. */
const block: Parser<string> = map(
  alt(
    seq(word('FIRST', 'LAST'), count, word('ROW', 'COLUMN')),
    map(seq(count, word('FIRST', 'LAST'), word('ROW', 'COLUMN')), ([size, end, axis]) => [end, size, axis] as const),
  ),
  ([end, size, axis]) => {
    if (size === 1) return undefined;
    const picked = end.concepts.has('FIRST') ? `0:${size}` : `-${size}:`;
    return axis.concepts.has('ROW') ? `${picked}, :` : `:, ${picked}`;
  },
);
const whole = token((each) => (each.value !== undefined && Number.isInteger(each.value) ? each.value : undefined));
const base: Parser<number> = alt(
  map(word('FROM_ZERO'), () => 0),
  map(word('FROM_ONE'), () => 1),
);
const cell = map(
  seq(word('ROW'), whole, many(word('AND', 'COMMA', 'OF', 'ON')), word('COLUMN'), whole),
  ([, row, , , column]) => ({ row, column }),
);
const separators = many(word('COMMA', 'OPEN'));
const elementsOf = many(seq(word('ELEMENTS', 'VALUES'), many(word('OF', 'ON', 'SITS', 'IS', 'EXIST'), 1)));
const partOf: Parser<TensorRef> = rule(() =>
  alt(
    map(seq(elementsOf, opt(word('ON', 'OF')), lines, word('OF'), named), ([, , found, , ref]) => part(ref, found)),
    map(seq(named, opt(word('OF')), lines), ([ref, , found]) => part(ref, found)),
    map(seq(elementsOf, opt(word('ON', 'OF')), block, word('OF'), named), ([, , slice, , ref]) => sliced(ref, slice)),
    map(seq(named, opt(word('OF')), block), ([ref, , slice]) => sliced(ref, slice)),
    // "los tres primeros valores de X"
    map(seq(count, word('FIRST', 'LAST'), word('ELEMENTS', 'VALUES'), word('OF'), named), ([size, end, , , ref]) =>
      part(ref, end.concepts.has('FIRST') ? { first: size } : { last: size }),
    ),
    map(
      seq(elementsOf, many(word('ON', 'OF')), cell, word('OF'), named, separators, base, opt(word('CLOSE'))),
      ([, , { row, column }, , ref, , from]) => part(ref, { row: row - from, column: column - from }),
    ),
    map(
      seq(named, many(word('OF', 'ON')), cell, separators, base, opt(word('CLOSE'))),
      ([ref, , { row, column }, , from]) => part(ref, { row: row - from, column: column - from }),
    ),
    // "the value at index 3 of X", counted from 0 as slices are; "position" may be counted either way.
    map(seq(elementsOf, opt(word('ON')), word('INDEX'), whole, word('OF'), named), ([, , said, index, , ref]) =>
      isIndex(said) ? sliced(ref, index) : undefined,
    ),
    map(seq(named, many(word('OF', 'ON')), word('INDEX'), whole), ([ref, , said, index]) =>
      isIndex(said) ? sliced(ref, index) : undefined,
    ),
    // "an letzter Stelle in X"
    map(seq(opt(word('ON', 'OF')), place, word('INDEX'), word('OF'), named), ([, nth, , , ref]) => part(ref, { nth })),
    map(seq(opt(word('ON', 'OF')), word('FIRST'), word('INDEX'), word('OF'), named), ([, , , , ref]) =>
      part(ref, { first: 1 }),
    ),
    map(seq(opt(word('ON', 'OF')), word('LAST'), word('INDEX'), word('OF'), named), ([, , , , ref]) =>
      part(ref, { last: 1 }),
    ),
    map(seq(named, opt(word('OF')), word('FIRST'), word('ELEMENTS', 'VALUES')), ([ref, , , said]) =>
      isPlural(said) ? undefined : part(ref, { first: 1 }),
    ),
    map(seq(named, opt(word('OF')), word('LAST'), word('ELEMENTS', 'VALUES')), ([ref, , , said]) =>
      isPlural(said) ? undefined : part(ref, { last: 1 }),
    ),
    map(seq(place, word('ELEMENTS', 'VALUES'), word('OF'), named), ([nth, , , ref]) => part(ref, { nth })),
    map(seq(named, opt(word('OF')), place, word('ELEMENTS', 'VALUES')), ([ref, , nth]) => part(ref, { nth })),
    map(seq(word('FIRST'), opt(count), word('ELEMENTS', 'VALUES'), word('OF'), named), ([, first, said, , ref]) =>
      first === undefined && isPlural(said) ? undefined : part(ref, { first: first ?? 1 }),
    ),
    map(seq(word('LAST'), opt(count), word('ELEMENTS', 'VALUES'), word('OF'), named), ([, last, said, , ref]) =>
      last === undefined && isPlural(said) ? undefined : part(ref, { last: last ?? 1 }),
    ),
    map(seq(named, opt(word('OF')), word('FIRST'), count, word('ELEMENTS', 'VALUES')), ([ref, , , first]) =>
      part(ref, { first }),
    ),
    map(seq(named, opt(word('OF')), word('LAST'), count, word('ELEMENTS', 'VALUES')), ([ref, , , last]) =>
      part(ref, { last }),
    ),
  ),
);

/** "The last values" leaves open how many. */
function isPlural({ text }: Token): boolean {
  return /(?:s|werten?|elementen?|einträgen?|zahlen|zeilen|spalten)$/i.test(text);
}

function isIndex(said: Token): boolean {
  return /index|offset|índice|indice|索引|下标/i.test(said.text);
}

function sliced(ref: TensorRef, index: number | string): TensorRef | undefined {
  return 'name' in ref && ref.slice === undefined ? { ...ref, slice: String(index) } : undefined;
}

interface PartOptions {
  readonly first?: number;
  readonly last?: number;
  readonly nth?: number;
  readonly row?: number;
  readonly column?: number;
}

function part(ref: TensorRef, more: PartOptions): TensorRef | undefined {
  return 'name' in ref && ref.slice === undefined ? { ...ref, ...more } : undefined;
}

/** A tensor, a part of one, or the result of the step before. */
export const tensorRefs: Parser<TensorRef> = rule(() => alt(named, previous, partOf));

/** Between the entries of a list. */
export const and: Parser<unknown> = alt(
  word('AND'),
  word('COMMA'),
  map(seq(word('COMMA'), word('AND')), () => true),
);
/** Words that only ask. */
export const asking: Parser<Token[]> = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'EXIST'));
