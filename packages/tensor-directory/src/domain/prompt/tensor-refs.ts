import type { TensorRef } from '../plan.ts';
import { described, withWord } from './described.ts';
import type { Concept } from './english.ts';
import { alt, many, map, opt, type Parser, rule, seq, type Token, token, word } from './parser.ts';
import { count, PREVIOUS, tensorName } from './refs.ts';
import { countedNoun } from './tensor-traits.ts';

const sliceText = token((each) =>
  each.kind === 'slice'
    ? each.text
    : each.kind === 'shape' && each.text.startsWith('[')
      ? each.text.slice(1, -1)
      : undefined,
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
/** "To" is a filler of many words; here it is what it says. */
const to: Parser<true> = token((each) =>
  /^(?:to|through|until|bis|hasta|à|到|至|-)$/i.test(each.text) ? true : undefined,
);
const cell = map(
  seq(word('ROW'), whole, many(word('AND', 'COMMA', 'OF', 'ON')), word('COLUMN'), whole),
  ([, row, , , column]) => ({ row, column }),
);
/** "row 2", "rows 1 and 2", "columns 0 to 3": as a slice. */
const numbered: Parser<string> = map(
  seq(word('ROW', 'COLUMN'), whole, opt(seq(alt(word('AND'), to), whole))),
  ([axis, first, more]) => {
    const [link, last] = more ?? [];
    if (first < 0 || (last !== undefined && (last <= first || (link !== true && last !== first + 1)))) return undefined;
    const picked = last === undefined ? String(first) : `${first}:${last + 1}`;
    return axis.concepts.has('ROW') ? picked : `:, ${picked}`;
  },
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
    // "row 2 of X, counting from zero"
    map(
      seq(
        elementsOf,
        many(word('ON', 'OF')),
        word('ROW', 'COLUMN'),
        whole,
        word('OF'),
        named,
        separators,
        base,
        opt(word('CLOSE')),
      ),
      ([, , axis, index, , ref, , from]) => part(ref, { [axis.concepts.has('ROW') ? 'row' : 'column']: index - from }),
    ),
    // "row 2 of X", "rows 1 and 2 of X": counted from 0, as slices are, and the answer says so.
    map(seq(elementsOf, many(word('ON', 'OF')), numbered, word('OF'), named), ([, , slice, , ref]) =>
      counted(ref, slice),
    ),
    map(seq(named, many(word('OF', 'ON', 'COMMA')), numbered), ([ref, , slice]) => counted(ref, slice)),
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
    // "the last three months of X"
    map(seq(word('FIRST', 'LAST'), count, countedNoun, word('OF'), named), ([end, size, , , ref]) =>
      part(ref, end.concepts.has('FIRST') ? { first: size } : { last: size }),
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

function counted(ref: TensorRef, slice: string): TensorRef | undefined {
  const found = sliced(ref, slice);
  return found && { ...found, fromZero: true };
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

/** "The final loss": the last value, unless "final" is a word of the description as well. */
export const describedEnd: Parser<TensorRef> = (input, at) =>
  map(seq(word('FIRST', 'LAST'), opt(count), described('tensor')), ([end, size = 1, name]) => {
    const claim = { kind: 'tensor' as const, name: withWord(end.text, name), must: true, isDescribed: true };
    if ((input.namesFor?.(claim).length ?? 0) > 0) return undefined;
    return end.concepts.has('LAST') ? { name, last: size } : { name, first: size };
  })(input, at);
