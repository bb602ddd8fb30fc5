import { stem } from './stem.ts';

const SIGN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]';
const LETTER = `(?!${SIGN})[\\p{L}\\p{N}\\p{M}]`;
/** A run of Chinese, Japanese or Korean signs, or of other letters and digits with inner `.`, `_`, `-` and the like. */
const RUN = new RegExp(`(${SIGN}+)|(?:${LETTER})+(?:[._\\-+#/@'’](?:${LETTER})+)*[+#]*`, 'gu');
const CJK = new RegExp(`^${SIGN}`, 'u');
const CJK_ANYWHERE = new RegExp(SIGN, 'gu');
const ASCII_ONLY = /^\p{ASCII}*$/u;
const LATIN_RUN = /[a-z0-9]+(?:[._\-+#/@'][a-z0-9]+)*[+#]*/g;
const PLAIN = /^[a-z0-9]+$/;
const JOINT = /[._\-+#/@'’]+/;
const MARKS = /\p{M}+/gu;
/** Parts of a number mean nothing; of a date, the year and the month do. */
const NUMERIC = /^[\d.\-/]+$/;
const DATE = /^((\d{4})-\d{2})-\d{2}$/;
const MAX_TERM_CHARACTERS = 64;
/** Scripts that are written without spaces between words, besides the above. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let unspacedWords: Intl.Segmenter | undefined;

/**
 * The terms a text is found by, in order and with repeats. Chinese by bigrams; Thai and others without spaces by the words of a
 * dictionary; Latin words lower-cased, without accents, lightly stemmed; a technical term (`net-zero_v2.1`) whole and in its parts.
 */
export function tokenise(text: string): string[] {
  return cut(text, addBigrams);
}

/** The same for a text that is to be found: single signs too, so that a question of one sign finds it. */
export function tokeniseForIndex(text: string): string[] {
  return cut(text, (run, terms) => {
    const signs = Array.from(run);
    if (signs.length > 1) terms.push(...signs);
    addBigrams(run, terms);
  });
}

function cut(text: string, addSigns: (run: string, terms: string[]) => void): string[] {
  const terms: string[] = [];
  if (ASCII_ONLY.test(text)) {
    for (const run of text.toLowerCase().match(LATIN_RUN) ?? []) addLatin(run, terms);
    return terms;
  }
  for (const match of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
    if (match[1] !== undefined) addSigns(match[1], terms);
    else if (UNSPACED.test(match[0])) addUnspaced(match[0], terms);
    else addLatin(fold(match[0]), terms);
  }
  return terms;
}

/** How much of a text is Chinese, Japanese or Korean: 0 none, 1 all of its letters. */
export function cjkShare(text: string): number {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters === 0 ? 0 : (text.match(CJK_ANYWHERE)?.length ?? 0) / letters;
}

export const isCjk = (text: string): boolean => CJK.test(text);

function addBigrams(run: string, terms: string[]): void {
  const signs = Array.from(run);
  if (signs.length === 1) terms.push(run);
  for (let at = 0; at + 1 < signs.length; at++) terms.push(signs[at]! + signs[at + 1]!);
}

function addUnspaced(run: string, terms: string[]): void {
  unspacedWords ??= new Intl.Segmenter('th', { granularity: 'word' });
  for (const { segment, isWordLike } of unspacedWords.segment(run)) {
    if (isWordLike && segment.length <= MAX_TERM_CHARACTERS)
      terms.push(UNSPACED.test(segment) ? segment : stem(segment));
  }
}

function addLatin(run: string, terms: string[]): void {
  if (PLAIN.test(run)) {
    if (run.length <= MAX_TERM_CHARACTERS) terms.push(stem(run));
    return;
  }
  const word = run.replace(/^[._\-/@'’]+|[._\-/@'’]+$/g, '').replace(/['’]s$/, '');
  if (word === '' || word.length > MAX_TERM_CHARACTERS) return;
  if (!/[^\p{L}\p{N}]/u.test(word)) {
    terms.push(stem(word));
    return;
  }
  terms.push(word);
  if (NUMERIC.test(word)) {
    const date = DATE.exec(word);
    if (date) terms.push(date[1]!, date[2]!);
    return;
  }
  const parts = word.split(JOINT).filter((part) => part !== '');
  if (parts.length > 1 || parts[0] !== word) for (const part of parts) terms.push(stem(part));
}

function fold(text: string): string {
  return text.normalize('NFD').replace(MARKS, '').normalize('NFC');
}
