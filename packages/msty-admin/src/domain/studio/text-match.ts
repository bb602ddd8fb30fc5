/** LIKE patterns that find the words as they are: `%` and `_` have no meaning of their own. Use with ESCAPE '\'. */
export function likePatterns(words: string): string[] {
  const escaped = (text: string) => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  // SQLite ignores case for ASCII only, so words beyond it are looked for in their other spellings as well.
  const spellings = /[^\p{ASCII}]/u.test(words)
    ? [words, words.toLowerCase(), words.toUpperCase(), capitalised(words)]
    : [words];
  return [...new Set(spellings)].map(escaped);
}

/** The place of the words in a text with something of what stands around them. */
export function snippet(text: string, words: string, around = 80): string {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  const from = Math.max(0, at - around);
  const to = Math.min(text.length, (at < 0 ? 0 : at + words.length) + around);
  const middle = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${middle}${to < text.length ? '…' : ''}`;
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
