import { DTYPES } from './dtypes.ts';
import { words } from './prompt-words.ts';

/** A piece of a prompt. `key` is what a word means to the reader, spelled right; `text` is as it was typed. */
export type Token =
  | { readonly kind: 'quoted'; readonly text: string; readonly key: '' }
  | { readonly kind: 'shape'; readonly text: string; readonly key: ''; readonly shape: (number | null)[] }
  | { readonly kind: 'word'; readonly text: string; readonly key: string }
  | { readonly kind: 'mark'; readonly text: string; readonly key: string };

const VOCABULARY = words(`
  tensor tensors model models find search show list get fetch load run execute apply use using with named called name names
  shape dtype type size dimensions dimension dimensional details detail information info metadata describe description
  descriptions count many number what which output result save store call input inputs inference predict prediction
  contains containing matching about display retrieve locate through tagged delete remove rename update upload where
  whose please tell there exist exists integer boolean float evaluate process related mentioning available directory
`);

const ALIASES: Readonly<Record<string, string>> = {
  array: 'tensor',
  arrays: 'tensors',
  ndarray: 'tensor',
  ndarrays: 'tensors',
  datatype: 'dtype',
  'data-type': 'dtype',
  dtypes: 'dtype',
  types: 'type',
  shapes: 'shape',
  sizes: 'size',
  dims: 'dimensions',
  network: 'model',
  networks: 'models',
  searching: 'search',
  finding: 'find',
  listing: 'list',
  running: 'run',
  applying: 'apply',
  executing: 'execute',
  saving: 'save',
  storing: 'store',
  naming: 'name',
  calling: 'call',
  titled: 'named',
  entitled: 'named',
  'so-called': 'called',
  labelled: 'named',
  labeled: 'named',
  results: 'result',
  outputs: 'output',
  contain: 'contains',
  match: 'matching',
  matches: 'matching',
  mention: 'mentioning',
  mentions: 'mentioning',
  details: 'details',
  detail: 'details',
  info: 'details',
  information: 'details',
  metadata: 'details',
  describe: 'describe',
  desc: 'description',
  wat: 'what',
  waht: 'what',
  whats: 'what',
  wich: 'which',
  fnd: 'find',
  fidn: 'find',
  gte: 'get',
  rnu: 'run',
  rn: 'run',
  lst: 'list',
  lsit: 'list',
  shwo: 'show',
  hwo: 'how',
  teh: 'the',
  pls: 'please',
  plz: 'please',
  mny: 'many',
  nr: 'number',
};

const DTYPE_WORDS: ReadonlySet<string> = new Set(DTYPES);
const KNOWN: ReadonlySet<string> = new Set([...VOCABULARY, ...DTYPES]);
/** Ordinary words that lie close to a keyword and are not misspelled. */
const ORDINARY =
  words(`lead load read fine mind kind king fund bind wind shoe shot shop how snow slow last lost lit lift gets got let set net use
  sue fuse shade share ship cape sharp tape type typo tie wide side sign site size since names game came some same none none
  modes mode moved modern moral medal metal module rule rub ran ruin rain tenor sensor sensors censor title told tall till
  store story stone score safe same cave wave cell hall fall call tall ball calls wall count court mount amount county
  output outlet input inputs insult result resort there their them then three these where were here whose those must man any
  main mean more money form from frost flow blow floor flat boat goat about above shout scout cat cats with wish width witch
  which while whole white whom who exits exit exact text next test best rest cost most host post past`);

/** Cuts a prompt into words, quoted names, shapes and marks. */
export function tokenise(prompt: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups, 0: found } of prompt.matchAll(PIECES)) {
    const { quoted, shape, word } = groups!;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.slice(1, -1).trim(), key: '' });
    else if (shape !== undefined) tokens.push({ kind: 'shape', text: found, key: '', shape: sizesIn(shape) });
    else if (word !== undefined) tokens.push(...wordTokens(word));
    else tokens.push({ kind: 'mark', text: found, key: found });
  }
  return tokens.filter((token) => token.text !== '');
}

const PIECES = new RegExp(
  [
    // An apostrophe opens a quotation only at the start of a word, and closes it only at an end.
    `(?<quoted>"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|\`[^\`]+\`|‘[^’]+’|(?<![\\p{L}\\p{N}])'(?:[^']|'(?=[\\p{L}\\p{N}]))+'(?![\\p{L}\\p{N}]))`,
    '(?<shape>[([]\\s*(?:\\d+|\\*|\\?|any|none|null)(?:\\s*,\\s*(?:\\d+|\\*|\\?|any|none|null))*\\s*,?\\s*[)\\]]|\\b\\d+(?:\\s*[x×]\\s*\\d+)+\\b)',
    "(?<word>[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_@./+-]*[\\p{L}\\p{N}_])?(?:['’](?:s|t|re|ll|ve|d|m)(?![\\p{L}\\p{N}]))?)",
    '->|=>|→|[,;.?!:=&()]',
  ].join('|'),
  'giu',
);

function sizesIn(text: string): (number | null)[] {
  return [...text.matchAll(/\d+|\*|\?|any|none|null/gi)].map(([size]) => (/^\d/.test(size) ? Number(size) : null));
}

/** "what's" is two words, and so is "don't". */
function wordTokens(word: string): Token[] {
  const [, first, rest] = /^(.+?)(n?['’](?:s|t|re|ll|ve|d|m))$/i.exec(word) ?? [];
  const parts = first === undefined ? [word] : [first, /t$/i.test(rest!) ? 'not' : 'is'];
  return parts.map((text) => ({ kind: 'word', text, key: keyOf(text) }));
}

function keyOf(word: string): string {
  const lower = word.toLowerCase();
  if (Object.hasOwn(ALIASES, lower)) return ALIASES[lower]!;
  if (KNOWN.has(lower) || ORDINARY.has(lower)) return lower;
  const meant = nearest(lower);
  return meant === undefined ? lower : (ALIASES[meant] ?? meant);
}

/** One slip is forgiven in words of four letters and more, two in long ones. Identifiers are never bent. */
function nearest(word: string): string | undefined {
  if (word.length < 4 || /[_@./+]/.test(word)) return undefined;
  const hasDigit = /\d/.test(word);
  const slips = word.length >= 8 && !hasDigit ? 2 : 1;
  let best: string | undefined;
  let bestDistance = slips + 1;
  for (const candidate of KNOWN) {
    if (hasDigit !== /\d/.test(candidate) || candidate.length < 4 || candidate[0] !== word[0]) continue;
    // The digits of a type are its meaning: int32 is no slip of int64.
    if (hasDigit && candidate.replace(/\D/g, '') !== word.replace(/\D/g, '')) continue;
    const distance = editDistance(word, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

export function isDtypeWord(key: string): boolean {
  return DTYPE_WORDS.has(key);
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` or more counts as far. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row[j] = cost;
    }
    before = last;
    last = row;
  }
  return Math.min(last[b.length]!, limit);
}
