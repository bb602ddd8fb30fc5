import { type Dtype, FACTS } from './dtypes.ts';
import type { Criteria } from './intent.ts';
import { isGrammar } from './prompt-names.ts';
import { isDtypeWord, type Token } from './prompt-tokens.ts';
import { words } from './prompt-words.ts';

const INTEGERS: Dtype[] = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'];
const FLOATS: Dtype[] = ['float16', 'float32', 'float64'];
const FAMILIES: Readonly<Record<string, Dtype[]>> = {
  int: INTEGERS,
  ints: INTEGERS,
  integer: INTEGERS,
  integers: INTEGERS,
  unsigned: INTEGERS.slice(4),
  float: FLOATS,
  floats: FLOATS,
  'floating-point': FLOATS,
  floating: FLOATS,
  real: FLOATS,
  double: ['float64'],
  doubles: ['float64'],
  half: ['float16'],
  bool: ['bool'],
  boolean: ['bool'],
  booleans: ['bool'],
  bools: ['bool'],
};
const NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };
const RANKS: Readonly<Record<string, number>> = {
  scalars: 0,
  scalar: 0,
  vectors: 1,
  vector: 1,
  matrices: 2,
  matrix: 2,
};
/** What can't be expressed here; guessing would answer another question. */
const BEYOND =
  words(`larger bigger smaller greater less fewer more than except without not newest oldest latest recent largest smallest biggest
  sorted order ordered between similar top first last average mean sum`);
const TEXT_LEADS = words(
  'about mentioning related matching containing contains describing for from regarding concerning described including of',
);
const FILLERS =
  words(`point points valued values value elements element stored store kind kinds tensors models everything anything items entries
  exactly least equal equals having saved existing known uploaded hold holds held keep kept got see view browse enumerate print
  give provide return returns current whole full complete overview registry catalog catalogue contents back out seek hunt words word
  where wherever do bit bits`);

/** Reads which tensors or models are meant; `undefined` when something is asked that criteria can't say. */
export function readCriteria(tokens: readonly Token[], options: { freeWords: boolean }): Criteria | undefined {
  const found: { -readonly [K in keyof Criteria]: Criteria[K] } = {};
  const loose: string[] = [];
  let inText = false;
  let bits: number | undefined;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const { key } = token;
    const next = tokens[i + 1];
    if (token.kind === 'shape') found.shape = token.shape;
    else if (token.kind === 'mark') inText = inText && token.key !== '.';
    else if (token.kind === 'quoted') {
      const place = contextOf(tokens, i);
      if (place === 'name') found.nameContains = token.text;
      else if (place === 'tag') found.tag = token.text;
      else if (place === 'dtype' && isDtypeWord(token.text.toLowerCase()))
        found.dtypes = [token.text.toLowerCase() as Dtype];
      else loose.push(token.text);
    } else if (BEYOND.has(key)) return undefined;
    else if (isDtypeWord(key)) found.dtypes = [...(found.dtypes ?? []), key as Dtype];
    else if (Object.hasOwn(FAMILIES, key)) found.dtypes = [...(found.dtypes ?? []), ...FAMILIES[key]!];
    else if (Object.hasOwn(RANKS, key)) found.ndim = RANKS[key]!;
    else if (/^\d+-?d$/.test(key)) found.ndim = Number.parseInt(key, 10);
    else if (/^(8|16|32|64)(-?bits?)?$/.test(key) && /bit/.test(`${key}${next?.key}`)) bits = Number.parseInt(key, 10);
    else if (rankAt(tokens, i) !== undefined) found.ndim = rankAt(tokens, i)!;
    else if (/^\d{4}-\d\d/.test(key) && dateField(tokens, i)) found[dateField(tokens, i)!] = token.text;
    else if (['before', 'after', 'since', 'until', 'created', 'made'].includes(key)) {
      if (!tokens.slice(i + 1).some(({ text }) => /^\d{4}-\d\d/.test(text))) return undefined;
    } else if (['tagged', 'tag', 'tags'].includes(key)) {
      const at = next && ['with', 'as', 'by'].includes(next.key) ? i + 2 : i + 1;
      if (!tokens[at] || tokens[at]!.kind === 'mark') return undefined;
      found.tag = tokens[at]!.text;
      i = at;
    } else if (TEXT_LEADS.has(key) && next && !isGrammarFor(next)) inText = true;
    else if (isGrammar(key) || FILLERS.has(key) || TEXT_LEADS.has(key) || /^\d+$/.test(key)) {
      if (!inText && key === 'shape' && numbersFrom(tokens, i + 1).length > 0) {
        found.shape = numbersFrom(tokens, i + 1);
      }
    } else if (contextOf(tokens, i) === 'name') found.nameContains = token.text;
    else if (inText || options.freeWords) loose.push(token.text);
    else return undefined;
  }
  if (bits !== undefined) {
    found.dtypes = (found.dtypes ?? [...INTEGERS, ...FLOATS]).filter((dtype) => FACTS[dtype].bytes * 8 === bits);
  }
  if (loose.length > 0) found.text = loose.join(' ');
  return found;
}

/** What a word or quotation is a part of, by the words before it ("name contains …") or after it ("… in its name"). */
function contextOf(tokens: readonly Token[], at: number): 'name' | 'tag' | 'dtype' | 'text' {
  const after = tokens.slice(at + 1, at + 5).map(({ key }) => key);
  if (after[0] === 'in' && after.some((key) => key === 'name' || key === 'names')) return 'name';
  for (let i = at - 1; i >= Math.max(0, at - 5); i--) {
    const { key, kind } = tokens[i]!;
    if (kind === 'quoted') break;
    if (['name', 'names', 'named', 'called'].includes(key)) return 'name';
    if (['tag', 'tags', 'tagged'].includes(key)) return 'tag';
    if (['dtype', 'type'].includes(key)) return 'dtype';
    if (['description', 'descriptions', 'about', 'mentioning', 'described'].includes(key)) return 'text';
  }
  return 'text';
}

function rankAt(tokens: readonly Token[], at: number): number | undefined {
  const { key } = tokens[at]!;
  const number = /^\d$/.test(key) ? Number(key) : NUMBERS[key.replace(/-dimensional$/, '')];
  if (number !== undefined && /-dimensional$/.test(key)) return number;
  const after = tokens[at + 1]?.key;
  if (number !== undefined && after && ['dimensional', 'dimensions', 'dimension', 'axes', 'd'].includes(after))
    return number;
  const before = tokens[at - 1]?.key;
  return number !== undefined && before && ['rank', 'ndim'].includes(before) ? number : undefined;
}

function dateField(tokens: readonly Token[], at: number): 'createdAfter' | 'createdBefore' | undefined {
  const before = tokens[at - 1]?.key;
  if (before === 'after' || before === 'since') return 'createdAfter';
  return before === 'before' || before === 'until' ? 'createdBefore' : undefined;
}

/** "shape 3, 4" and "shape 3 by 4", without brackets. */
function numbersFrom(tokens: readonly Token[], at: number): number[] {
  const sizes: number[] = [];
  for (let i = at; i < tokens.length; i++) {
    const { key } = tokens[i]!;
    if (/^\d+$/.test(key)) sizes.push(Number(key));
    else if (!['by', ',', 'of', 'is', '=', ':', 'equal', 'to'].includes(key)) break;
  }
  return sizes;
}

function isGrammarFor(token: Token): boolean {
  return ['the', 'a'].includes(token.key)
    ? false
    : token.kind === 'word' && (isGrammar(token.key) || isDtypeWord(token.key) || Object.hasOwn(FAMILIES, token.key));
}
