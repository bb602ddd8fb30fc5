import type { Match } from './parser.ts';

/** More readings than this of one place are thinned out. */
const MAX_READINGS = 48;
/** So many are kept that end at the same place. */
const MAX_ALIKE = 16;
/** And so many more that name something else than the cheaper ones: which names exist decides only later. */
const MAX_OTHER_NAMES = 8;

/** Where there are too many, the cheapest that end at each place, and the cheapest of each set of names. */
export function best<T>(matches: readonly Match<T>[]): readonly Match<T>[] {
  if (matches.length <= MAX_READINGS) return matches;
  const kept = new Map<number, { count: number; others: number; names: Set<string> }>();
  return matches
    .toSorted((a, b) => a.cost - b.cost)
    .filter(({ next, claims }) => {
      const place = kept.get(next) ?? { count: 0, others: 0, names: new Set() };
      kept.set(next, place);
      const names = claims.map(({ kind, name }) => `${kind} ${name}`).join('\n');
      const isNew = !place.names.has(names);
      place.names.add(names);
      return ++place.count <= MAX_ALIKE || (isNew && ++place.others <= MAX_OTHER_NAMES);
    });
}

/** Without those that say the same at a higher cost. */
export function distinct<T>(matches: readonly Match<T>[]): readonly Match<T>[] {
  if (matches.length < MAX_ALIKE) return matches;
  const kept = new Map<string, Match<T>>();
  for (const match of matches.toSorted((a, b) => a.cost - b.cost)) {
    const key = JSON.stringify([match.next, match.value, match.claims], setAsText);
    if (!kept.has(key)) kept.set(key, match);
  }
  return [...kept.values()];
}

/** Tokens count by what they mean; the sets in them are not written by themselves. */
function setAsText(_: string, value: unknown): unknown {
  return value instanceof Set ? [...value].join() : value;
}
