/** Too common to mark. */
const COMMON = new Set(
  'about also been does from have into more much that their them then there these they this what when where which will with your'.split(
    ' ',
  ),
);

/** The words that were searched for, marked in a text; the text stays text. */
export function Highlight({ text, words }: { text: string; words: string }) {
  const wanted = words
    .split(/[\s,.;:!?]+/)
    .filter((word) => word.length > 3 || /[\d\P{ASCII}]/u.test(word))
    .filter((word) => !COMMON.has(word.toLowerCase()));
  if (wanted.length === 0) return <>{text}</>;
  const patterns = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // With the ending that a word has here: "leave" is found in "leaves".
  const pattern = new RegExp(`((?:${patterns.join('|')})(?:\\p{Ll}{1,3}(?!\\p{L}))?)`, 'giu');
  return <>{text.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}</>;
}
