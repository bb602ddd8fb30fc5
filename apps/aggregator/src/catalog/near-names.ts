const MAX_NEAR = 3;
/** Longer names and lists are not compared: the caller may send anything. */
const MAX_LENGTH = 80;
const MAX_NAMES = 5_000;

/** The names that a misspelt one most likely stands for: other word order, a small edit distance, or a part of it. */
export function nearNames(name: string, names: readonly string[]): string[] {
  if (name.length > MAX_LENGTH || names.length > MAX_NAMES) return [];
  const wanted = wordsOf(name);
  const near = names.flatMap((other) => {
    const distance = distanceOf(wanted, wordsOf(other));
    return distance === undefined ? [] : [{ other, distance }];
  });
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.flatMap(({ other, distance }) => (distance === least ? other : [])).slice(0, MAX_NEAR);
}

/** `searchMemory`, `search-memory` and `search_memory` have the same words. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z0-9]+/).filter(Boolean);
}

function distanceOf(wanted: readonly string[], words: readonly string[]): number | undefined {
  const [one, other] = [wanted.join(''), words.join('')];
  if (one === '' || other === '') return undefined;
  if (one === other || [...wanted].sort().join() === [...words].sort().join()) return 0;
  const most = Math.floor(one.length / 4);
  if (Math.abs(one.length - other.length) <= most) {
    const edits = editsBetween(one, other);
    if (edits <= most) return edits;
  }
  const isPart = Math.min(one.length, other.length) > 4 && (one.includes(other) || other.includes(one));
  return isPart ? one.length + Math.abs(one.length - other.length) : undefined;
}

/** Edit distance: letters added, removed or replaced. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const now = [row + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (before[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
