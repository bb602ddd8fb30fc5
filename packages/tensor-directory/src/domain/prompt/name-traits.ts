import type { Filter } from '../filter.ts';
import type { Concept } from './english.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from './parser.ts';

/** A part of a name: any word but those that describe names themselves. */
const namePart: Parser<string> = token((each) => {
  if (each.kind === 'quoted') return each.text;
  const isWord = each.kind === 'word' || each.kind === 'number';
  if (!isWord || NAMING.some((concept) => each.concepts.has(concept)) || KINDS_OF_SIGN.test(each.text))
    return undefined;
  return SIGNS.find(([name]) => name.test(each.text))?.[1] ?? each.text;
});
/** "An underscore" is the sign, not the word. */
const SIGNS: readonly (readonly [name: RegExp, sign: string])[] = [
  [/^(?:underscores?|unterstrich|下划线)$/i, '_'],
  [/^(?:dots?|punkt|punto|点)$/i, '.'],
  [/^(?:dash|dashes|hyphens?|bindestrich|guion|guión|tiret)$/i, '-'],
];
const KINDS_OF_SIGN =
  /^(?:digits?|letters?|numbers?|spaces?|words?|capitals?|ziffern?|buchstaben?|chiffres?|lettres?|dígitos?|letras?|vowels?)$/i;
const NAMING: readonly Concept[] = [
  'FILLER',
  'NAME',
  'TENSORS',
  'MODELS',
  'BEGINS',
  'ENDS',
  'CONTAINS',
  'NOT',
  'REL',
  'IN_NAME',
];
/** "name begins with sales", "sales in its name". */
export const nameOps: Parser<Filter> = alt(
  map(seq(word('BEGINS'), namePart), ([, text]) => ({ nameStarts: text })),
  map(seq(word('ENDS'), namePart), ([, text]) => ({ nameEnds: text })),
  map(seq(word('NAME'), opt(word('REL')), word('BEGINS'), namePart), ([, , , text]) => ({ nameStarts: text })),
  map(seq(word('NAME'), opt(word('REL')), word('ENDS'), namePart), ([, , , text]) => ({ nameEnds: text })),
  // "deren Name mit X beginnt", "名称以 X 开头"
  map(seq(many(word('NAME', 'REL', 'WITH', 'ON'), 1), namePart, word('BEGINS')), ([, text]) => ({ nameStarts: text })),
  map(seq(many(word('NAME', 'REL', 'WITH', 'ON'), 1), namePart, word('ENDS')), ([, text]) => ({ nameEnds: text })),
  map(seq(word('NAME'), opt(word('OF')), word('CONTAINS'), namePart), ([, , , text]) => ({ nameContains: text })),
  map(seq(word('NAME'), namePart, word('CONTAINS')), ([, text]) => ({ nameContains: text })),
  map(seq(word('NAMED'), word('CONTAINS'), namePart), ([, , text]) => ({ nameContains: text })),
  map(seq(namePart, word('IN_NAME')), ([text]) => ({ nameContains: text })),
  map(seq(word('CONTAINS'), namePart, word('IN_NAME')), ([, text]) => ({ nameContains: text })),
);

/** "names that begin with sales". */
export const nameFilter: Parser<Filter> = alt(
  map(seq(word('NAME'), many(word('REL', 'IS')), nameOps), ([, , found]) => found),
  map(seq(word('NAME'), word('OF'), word('CONTAINS'), namePart), ([, , , text]) => ({ nameContains: text })),
);
