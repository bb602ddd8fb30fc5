const VOWEL = /[aeiouy]/;

/**
 * A light stemmer for English: plurals, -ed, -ing, -ly and a few noun endings, so that a question finds its answer
 * in another form. It never looks a word up and leaves short words, numbers and codes alone.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stemmed = dropSuffix(dropVerbEnding(dropPlural(word)));
  if (stems.size >= MAX_KEPT) stems.clear();
  stems.set(word, stemmed);
  return stemmed;
}

/** Few words make up most of a text, and looking one up costs a fraction of stemming it. */
const stems = new Map<string, string>();
const MAX_KEPT = 20_000;

function dropPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropVerbEnding(word: string): string {
  for (const ending of ['ing', 'ed']) {
    const base = word.slice(0, -ending.length);
    if (word.endsWith(ending) && base.length >= 3 && VOWEL.test(base)) return mend(base);
  }
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}

// "running" and "run", "placed" and "place" must meet: doubled ends are undone and a final e is never kept.
function mend(base: string): string {
  const last = base.at(-1);
  if (last === base.at(-2) && last !== 'l' && last !== 's' && last !== 'z') return base.slice(0, -1);
  return base.endsWith('e') ? base.slice(0, -1) : base;
}

const SUFFIXES: readonly (readonly [string, string])[] = [
  ['ational', 'at'],
  ['ization', 'iz'],
  ['ation', 'at'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'iv'],
  ['ically', 'ic'],
  ['ally', 'al'],
  ['ical', 'ic'],
  ['ment', ''],
  ['ness', ''],
  ['ly', ''],
];

function dropSuffix(word: string): string {
  for (const [suffix, put] of SUFFIXES) {
    const base = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && base.length >= 4) return base + put;
  }
  return word.length > 3 && word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}
