const SHORTEST_STEM = 4;
/** What may differ between forms of one word; a slip is not one of them. */
const ENDING = /^(?:|s|es|e|ed|d|en|n|er|ers|ing|ings|or|ion|ions|al|ly|y|ies|ized|ised|a|o|as|os)$/;

/** A name without case and signs: "Sales-2023" and "sales 2023" are the same. */
export function plainName(name: string): string {
  return wordsIn(name).join('');
}

/** Words and numbers in small letters. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
}

/** Whether all words are in a text, but for their endings; short names such as `temps` stand for longer words. */
export function hasWords(text: string, wanted: readonly string[]): boolean {
  const words = wordsIn(text);
  return wanted.every((word) => words.some((each) => isAlike(each, word) || standsFor(each, word)));
}

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  if (/\p{N}/u.test(a + b) || Math.min(a.length, b.length) < SHORTEST_STEM) return isPlural(a, b) || isPlural(b, a);
  const shared = sharedLength(a, b);
  return shared >= SHORTEST_STEM && [a, b].every((each) => ENDING.test(each.slice(shared)));
}

function isPlural(one: string, other: string): boolean {
  return one.length >= 3 && !/\p{N}/u.test(one) && other === `${one}s`;
}

function standsFor(short: string, long: string): boolean {
  const stem = short.replace(/s$/, '');
  return stem.length >= SHORTEST_STEM && long.startsWith(stem);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
