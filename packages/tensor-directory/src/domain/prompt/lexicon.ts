import { STORED_DTYPES } from '@atoll-mcp/formats/dtypes';
import { chinese } from './chinese.ts';
import { editDistance } from './edit-distance.ts';
import { type Concept, english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import type { Input, Token } from './parser.ts';
import { spanish } from './spanish.ts';
import { type RawToken, tokenize } from './tokens.ts';
import { unread } from './without-tokens.ts';

/** Words and phrases by what they mean, separated by bars. */
export type Words = Partial<Readonly<Record<Concept, string>>>;

interface Lexicon {
  /** Meanings by word or phrase in small letters. */
  readonly phrases: ReadonlyMap<string, ReadonlySet<Concept>>;
  readonly longest: number;
  /** Single words that may be misspelled. */
  readonly spellings: readonly string[];
  /** Phrases of several words, the longest first. */
  readonly several: readonly { readonly phrase: string; readonly words: readonly string[] }[];
}

const NUMBERS: Readonly<Record<string, string>> = {
  english: 'zero one two three four five six seven eight nine ten',
  german: 'null eins|ein|eine|einen|einer zwei drei vier fünf sechs sieben acht neun zehn',
  spanish: 'cero uno|una|un dos tres cuatro cinco seis siete ocho nueve diez',
  french: 'zéro un|une deux trois quatre cinq six sept huit neuf dix',
  chinese: '零 一 两|二 三 四 五 六 七 八 九 十',
};

/** From the second on, by language; endings as regular expressions. */
const ORDINALS = [
  'second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
  'zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft'.replaceAll(/(?<=\S)(?= |$)/g, 'e[rnsm]?'),
  'segund tercer cuart quint sext séptim octav noven décim'.replaceAll(/(?<=\S)(?= |$)/g, '[oa]?'),
  '(?:deux|second) trois quatr cinqu six sept huit neuv dix onz douz'.replaceAll(/(?<=\S)(?= |$)/g, '(?:ième|e)'),
  '第二 第三 第四 第五 第六 第七 第八 第九 第十 第十一 第十二',
].map((names) => names.split(' ').map((name) => new RegExp(`^${name}$`, 'i')));
const ORDINAL: ReadonlySet<Concept> = new Set(['ORDINAL']);

const LANGUAGES: Readonly<Record<string, Words>> = { english, german, spanish, french, chinese };
/** A language of which fewer words are known than this, compared with the likeliest, is not the one of the prompt. */
const LEAST_SHARE = 0.34;
const lexicons = new Map<string, Lexicon>();

/** The prompt as tokens of each language it may be in, the likeliest first. */
export function readTokens(prompt: string, today: string): Input[] {
  const readings = Object.keys(LANGUAGES).map((language) => {
    const own = lexiconOf(language);
    const raw = tokenize(prompt.normalize('NFC'), (text) => own.phrases.has(text));
    const known = raw.filter(({ kind, text }) => kind === 'word' && own.phrases.has(text.toLowerCase())).length;
    return { language, raw, known: known + (language === 'english' ? 0.5 : 0) };
  });
  const most = Math.max(...readings.map(({ known }) => known));
  return readings
    .filter(({ known }) => known > 0 && known >= most * LEAST_SHARE)
    .sort((a, b) => b.known - a.known)
    .map(({ language, raw }) => ({ tokens: withMeanings(raw, language), today, ...unread() }));
}

function lexiconOf(language: string): Lexicon {
  const lexicon = lexicons.get(language) ?? build(LANGUAGES[language]!);
  lexicons.set(language, lexicon);
  return lexicon;
}

function build(words: Words): Lexicon {
  const phrases = new Map<string, Set<Concept>>();
  for (const [concept, text] of Object.entries(words) as [Concept, string][]) {
    for (const phrase of text.split('|').map((each) => each.trim())) {
      if (phrase) phrases.set(phrase, (phrases.get(phrase) ?? new Set<Concept>()).add(concept));
    }
  }
  const longest = Math.max(...[...phrases.keys()].map((phrase) => phrase.split(' ').length));
  const spellings = [...phrases.keys()].filter((phrase) => phrase.length >= 4 && /^\p{L}+$/u.test(phrase));
  const several = [...phrases.keys()]
    .filter((phrase) => / /.test(phrase) && /^[\p{L} ]+$/u.test(phrase) && !phrases.get(phrase)!.has('FILLER'))
    .map((phrase) => ({ phrase, words: phrase.split(' ') }))
    .toSorted((a, b) => b.words.length - a.words.length);
  return { phrases, longest, spellings: [...spellings, ...STORED_DTYPES], several };
}

const NOTHING: ReadonlySet<Concept> = new Set();

function withMeanings(raw: readonly RawToken[], language: string): Token[] {
  const own = lexiconOf(language);
  const others = language === 'english' ? [] : [lexiconOf('english')];
  const tokens: Token[] = [];
  for (let i = 0; i < raw.length; ) {
    const { token, next } =
      phraseAt(raw, i, own) ??
      others.map((lexicon) => phraseAt(raw, i, lexicon)).find(Boolean) ??
      slippedPhraseAt(raw, i, own) ??
      single(raw, i, own, language);
    tokens.push(...token);
    i = next;
  }
  return tokens;
}

/** The longest phrase that begins here. */
function phraseAt(raw: readonly RawToken[], at: number, { phrases, longest }: Lexicon) {
  if (raw[at]!.kind !== 'word' && raw[at]!.kind !== 'mark') return undefined;
  for (let size = Math.min(longest, raw.length - at); size > 0; size--) {
    const part = raw.slice(at, at + size);
    if (part.some(({ kind }) => kind !== 'word' && kind !== 'mark')) continue;
    const concepts = phrases.get(part.map(({ text }) => text.toLowerCase()).join(' '));
    if (!concepts) continue;
    const text = part.map((each) => each.text).join(' ');
    const kind = size === 1 ? raw[at]!.kind : 'word';
    const token: Token = { kind, text, start: part[0]!.start, end: part.at(-1)!.end, concepts, slips: NOTHING };
    const number = size === 1 ? (numberIn(text) ?? ordinalIn(text)) : undefined;
    return { token: [number === undefined ? token : { ...token, value: number }], next: at + size };
  }
  return undefined;
}

/** A phrase with one word of it misspelled: "standard deviaton". */
function slippedPhraseAt(raw: readonly RawToken[], at: number, { phrases, several }: Lexicon) {
  for (const { words, phrase } of several) {
    const part = raw.slice(at, at + words.length);
    if (part.length < words.length || part.some(({ kind }) => kind !== 'word')) continue;
    const wrong = part.flatMap(({ text }, i) => (text.toLowerCase() === words[i] ? [] : [i]));
    const [place] = wrong;
    if (place === undefined || wrong.length > 1) continue;
    const [said, meant] = [part[place]!.text.toLowerCase(), words[place]!];
    if (said.length < 5 || said[0] !== meant[0] || /[\d_@./+]/.test(said) || phrases.has(said)) continue;
    const slips = said.length >= 8 ? 2 : 1;
    if (editDistance(said, meant, slips + 1) > slips) continue;
    const text = part.map((each) => each.text).join(' ');
    const [start, end] = [part[0]!.start, part.at(-1)!.end];
    const token: Token = { kind: 'word', text, start, end, concepts: NOTHING, slips: phrases.get(phrase)! };
    return { token: [token], next: at + words.length };
  }
  return undefined;
}

function single(raw: readonly RawToken[], at: number, own: Lexicon, language: string) {
  const each = raw[at]!;
  const { text } = each;
  const next = at + 1;
  const bare: Token = { ...each, concepts: NOTHING, slips: NOTHING };
  if (each.kind !== 'word') return { token: [bare], next };
  if (/^\d{4}-\d\d/.test(text)) return { token: [{ ...bare, kind: 'date' as const }], next };
  const number = numberIn(text) ?? wordNumber(text.toLowerCase(), language);
  if (number !== undefined) return { token: [{ ...bare, kind: 'number' as const, value: number }], next };
  const ordinal = ordinalIn(text);
  if (ordinal !== undefined) return { token: [{ ...bare, concepts: ORDINAL, value: ordinal }], next };
  const unit = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text);
  const parts = unit ? [unit[1]!, unit[2]!] : text.split('-');
  // "float32-Tensoren" and "5MB" are two words each.
  if (parts.length > 1 && parts.every((part) => isKnown(part, own))) {
    let place = each.start;
    const pieces = parts.map((part) => {
      const piece: RawToken = { kind: 'word', text: part, start: place, end: place + part.length };
      place += part.length + (unit ? 0 : 1);
      return piece;
    });
    return { token: withMeanings(pieces, language), next };
  }
  return { token: [{ ...bare, slips: slipsOf(text.toLowerCase(), own) }], next };
}

function isKnown(text: string, own: Lexicon): boolean {
  const lower = text.toLowerCase();
  return (
    own.phrases.has(lower) ||
    lexiconOf('english').phrases.has(lower) ||
    numberIn(text) !== undefined ||
    (STORED_DTYPES as readonly string[]).includes(lower)
  );
}

function numberIn(text: string): number | undefined {
  return /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** "third" and "3rd" are 3. */
function ordinalIn(text: string): number | undefined {
  const [, digits] = /^(\d+)(?:st|nd|rd|th)$/i.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  for (const names of ORDINALS) {
    const index = names.findIndex((name) => name.test(text));
    if (index >= 0) return index + 2;
  }
  return undefined;
}

function wordNumber(text: string, language: string): number | undefined {
  for (const each of [language, 'english']) {
    const index = NUMBERS[each]!.split(' ').findIndex((names) => names.split('|').includes(text));
    if (index >= 0) return index;
  }
  return undefined;
}

/** One slip is forgiven in words of four letters and more, two in long ones. Identifiers are never bent. */
function slipsOf(word: string, { phrases, spellings }: Lexicon): ReadonlySet<Concept> {
  if (word.length < 3 || /[_@./+]/.test(word)) return NOTHING;
  const hasDigit = /\d/.test(word);
  const slips = word.length >= 8 && !hasDigit ? 2 : 1;
  const found = new Set<Concept>();
  for (const candidate of spellings) {
    if (hasDigit !== /\d/.test(candidate) || candidate[0] !== word[0]) continue;
    // The digits of a type are its meaning: int32 is not a slip of int64.
    if (hasDigit && candidate.replace(/\D/g, '') !== word.replace(/\D/g, '')) continue;
    if (editDistance(word, candidate, slips + 1) > slips) continue;
    for (const concept of phrases.get(candidate) ?? []) found.add(concept);
    if ((STORED_DTYPES as readonly string[]).includes(candidate)) found.add('DTYPE_NAME');
  }
  found.delete('FILLER');
  return found;
}

/** The element type that a misspelled word means. */
export function nearestDtype(text: string): string | undefined {
  const digits = text.replace(/\D/g, '');
  return STORED_DTYPES.find(
    (dtype) => dtype.replace(/\D/g, '') === digits && editDistance(text.toLowerCase(), dtype, 2) <= 1,
  );
}
