/** Words as they are compared: letters and digits, of Chinese and Japanese each sign for itself; a ticked box is an x. */
export const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('☒', 'x ')
    .match(/[\u3040-\u30ff\u3400-\u9fff]|[\p{L}\p{N}\p{M}]+/gu) ?? [];

const sequencesOf = (words) => {
  const length = Math.min(5, words.length);
  return Array.from({ length: words.length - length + 1 }, (_, at) => words.slice(at, at + length).join(' '));
};

/** The share of the items wanted that were found, each as often as it is wanted. */
function share(wanted, found) {
  const bag = new Map();
  for (const one of found) bag.set(one, (bag.get(one) ?? 0) + 1);
  const missed = wanted.filter((one) => {
    const left = bag.get(one) ?? 0;
    if (left > 0) bag.set(one, left - 1);
    return left === 0;
  });
  return { recall: wanted.length === 0 ? 1 : 1 - missed.length / wanted.length, missed };
}

/** How much of a text is in another: its words, and its sequences of five words, which tell the order. */
export function recallOf(expected, text) {
  const [wanted, found] = [wordsOf(expected), wordsOf(text)];
  const words = share(wanted, found);
  return {
    words: words.recall,
    sequences: share(sequencesOf(wanted), sequencesOf(found)).recall,
    missed: words.missed,
    count: wanted.length,
  };
}
