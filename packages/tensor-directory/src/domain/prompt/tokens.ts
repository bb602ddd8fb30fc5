/** A piece of a prompt as it was typed, before any word is looked up. */
export interface RawToken {
  readonly kind: 'word' | 'quoted' | 'shape' | 'slice' | 'mark';
  readonly text: string;
  /** Place in the prompt, to quote what was not understood. */
  readonly start: number;
  readonly end: number;
}

const SIZE = '(?:\\d+|\\*|\\?|any|none|null)';
const PIECES = new RegExp(
  [
    // An apostrophe opens a quotation only at the start of a word, and closes it only at an end.
    `(?<quoted>"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』|\`[^\`]+\`|‘[^’]+’|(?<![\\p{L}\\p{N}])'(?:[^']|'(?=[\\p{L}\\p{N}]))+'(?![\\p{L}\\p{N}]))`,
    // Brackets right behind a name, or with a colon inside, are a slice; other lists of sizes are a shape.
    '(?<slice>(?<=[\\p{L}\\p{N}_\'"`”’])\\[[-+\\d:,.\\s]+\\]|\\[[-+\\d:,.\\s]*:[-+\\d:,.\\s]*\\])',
    `(?<shape>[([]\\s*${SIZE}(?:\\s*,\\s*${SIZE})*\\s*,?\\s*[)\\]]|(?<![\\p{L}\\p{N}_])\\d+(?:\\s*[x×]\\s*\\d+)+(?![\\p{L}\\p{N}_]))`,
    '(?<date>\\d\\d?\\.\\d\\d?\\.\\d{4}(?![\\p{L}\\p{N}_.-])|\\d{4}-\\d\\d(?:-\\d\\d)?(?:T[\\d:.]+Z?)?(?![\\p{L}\\p{N}_-]))',
    '(?<number>[-+]?\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?(?![\\p{L}\\p{N}_@-]))',
    '(?<han>\\p{Script=Han}+)',
    "(?<elided>(?:l|d|n|s|j|c|m|t|qu|jusqu|lorsqu)['’](?=\\p{L}))",
    "(?<word>(?:(?<![^\\s'\"`])[._](?=\\p{L}))?(?!\\p{Script=Han})[\\p{L}\\p{N}_](?:(?:(?!\\p{Script=Han})[\\p{L}\\p{N}_@./+-])*(?!\\p{Script=Han})[\\p{L}\\p{N}_])?)(?<tail>['’](?:s|t|re|ll|ve|d|m)(?![\\p{L}\\p{N}]))?",
    '-+>|=+>|→|>=|<=|[,;.?!:=&(){}<>≥≤¿¡%\uff0c\u3001\u3002\uff1f\uff01\uff1a\uff1b\uff08\uff09\uff1d\uff0b\u2013\u2014]',
    // Signs that would change what is asked must not get lost.
    '[-+*/^~|$#@]',
  ].join('|'),
  'giu',
);

/** Escaped, since editors and converters like to make them narrow. */
const FULL_WIDTH: Readonly<Record<string, string>> = {
  '\uff0c': ',',
  '\u3001': ',',
  '\u3002': '.',
  '\uff1f': '?',
  '\uff01': '!',
  '\uff1a': ':',
  '\uff1b': ';',
  '\uff08': '(',
  '\uff09': ')',
  '\uff1d': '=',
  '\uff0b': '+',
  '\u2013': ',',
  '\u2014': ',',
};

/** Cuts a prompt into words, quoted names, shapes, slices and marks. Chinese is cut by `isWord`, longest first. */
export function tokenize(prompt: string, isWord: (text: string) => boolean): RawToken[] {
  const tokens: RawToken[] = [];
  for (const { groups, 0: found, index } of prompt.matchAll(PIECES)) {
    const { quoted, slice, shape, han, elided, word, tail, date, number } = groups!;
    const end = index + found.length;
    const push = (kind: RawToken['kind'], text: string, from = index, to = end) =>
      tokens.push({ kind, text, start: from, end: to });
    if (quoted !== undefined) push('quoted', quoted.slice(1, -1).trim());
    else if (slice !== undefined) push('slice', slice.slice(1, -1).trim());
    else if (shape !== undefined) push('shape', shape);
    else if (date !== undefined || number !== undefined) push('word', found);
    else if (han !== undefined) tokens.push(...cutHan(han, index, isWord));
    else if (elided !== undefined) push('word', elided.toLowerCase().replace('’', "'"));
    else if (word !== undefined) {
      const [first, second] = tail === undefined ? [word] : withoutTail(word, tail);
      push('word', first!, index, tail === undefined ? end : index + word.length);
      if (second) push('word', second, index + first!.length, end);
    } else push('mark', FULL_WIDTH[found] ?? found.replace(/^(?:-+|=+)>$/, '->'));
  }
  return tokens.filter((token) => token.text !== '');
}

/** "what's" is two words, and so is "don't". */
function withoutTail(word: string, tail: string): [string, string] {
  const rest = tail.slice(1).toLowerCase();
  if (rest === 't') return [word.replace(/n$/i, ''), 'not'];
  return [word, { s: 'is', re: 'are', ll: 'will', ve: 'have', d: 'would', m: 'am' }[rest] ?? 'is'];
}

const MAX_HAN = 10;

function cutHan(text: string, offset: number, isWord: (text: string) => boolean): RawToken[] {
  const tokens: RawToken[] = [];
  const signs = [...text];
  let unknown = '';
  let at = 0;
  const push = (word: string, from: number) =>
    tokens.push({ kind: 'word', text: word, start: offset + from, end: offset + from + word.length });
  let place = 0;
  while (at < signs.length) {
    let size = Math.min(MAX_HAN, signs.length - at);
    while (size > 0 && !isWord(signs.slice(at, at + size).join(''))) size--;
    if (size === 0) {
      unknown += signs[at];
      place += signs[at]!.length;
      at++;
      continue;
    }
    if (unknown) push(unknown, place - unknown.length);
    unknown = '';
    const word = signs.slice(at, at + size).join('');
    push(word, place);
    place += word.length;
    at += size;
  }
  if (unknown) push(unknown, place - unknown.length);
  return tokens;
}
