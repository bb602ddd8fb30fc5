import type { Concept } from './english.ts';

/** A piece of a prompt with what it may mean. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'shape' | 'slice' | 'mark' | 'number' | 'date';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly concepts: ReadonlySet<Concept>;
  /** What it may mean if it is misspelled. */
  readonly slips: ReadonlySet<Concept>;
  readonly value?: number;
}

/** A name that must exist for the reading to hold: an ordinary word may be anything. */
export interface Claim {
  readonly kind: 'tensor' | 'model' | 'any';
  readonly name: string;
  /** Without this, a missing name is worth an answer: "Tensor 'x' not found." */
  readonly must: boolean;
  /** A word for what the model does, which its name or description must bear out. */
  readonly does?: string;
  /** A word that the tensor's name or description must have. */
  readonly says?: string;
  /** A key that the model must read. */
  readonly reads?: string;
  /** Whether the name stands for words that describe what is meant. */
  readonly isDescribed?: boolean;
  /** Whether only case and signs may differ from a name. */
  readonly isPlain?: boolean;
  /** Whether the words are a verb for what a model does. */
  readonly isWork?: boolean;
}

export interface Match<T> {
  readonly value: T;
  readonly next: number;
  readonly cost: number;
  readonly claims: readonly Claim[];
}

export interface Input {
  readonly tokens: readonly Token[];
  /** Today in UTC, such as 2024-01-31. */
  readonly today: string;
  /** Names of what may be meant by words that describe it; without this, tensors and models must be named. */
  readonly namesFor?: (claim: Claim) => readonly string[];
  /** Whether names, descriptions or tags of something have these words. */
  readonly isAbout?: (words: readonly string[]) => boolean;
  /** Whether something has this name, where that is known before reading. */
  readonly isThere?: (kind: Claim['kind'], name: string) => boolean;
  readonly memo: Map<unknown, Map<number, readonly Match<unknown>[]>>;
  /** How often something was read, so that no prompt takes long. */
  readonly work: { count: number };
}

/** All ways to read the tokens from a place on. */
export type Parser<T> = (input: Input, at: number) => readonly Match<T>[];

/** More readings than this of one place are thinned out. */
const MAX_READINGS = 48;
/** So many are kept that end at the same place. */
const MAX_ALIKE = 16;
/** And so many more that name something else than the cheaper ones: which names exist decides only later. */
const MAX_OTHER_NAMES = 8;
const SLIP_COST = 1;
/** No sentence has more words in a row that say nothing. */
const MAX_FILLERS = 8;
/** A prompt that takes more work than this has too many meanings to be understood. */
const MAX_WORK = 40_000;

/** Tokens from `at` on, over any number of fillers. */
export function* places({ tokens }: Input, at: number): Generator<{ token: Token; at: number }> {
  for (let i = at; i < tokens.length && i <= at + MAX_FILLERS; i++) {
    yield { token: tokens[i]!, at: i };
    if (!tokens[i]!.concepts.has('FILLER')) return;
  }
}

/** One token that means any of these. */
export function word(...concepts: Concept[]): Parser<Token> {
  return (input, at) => {
    const found: Match<Token>[] = [];
    for (const { token, at: place } of places(input, at)) {
      if (concepts.some((concept) => token.concepts.has(concept)))
        found.push({ value: token, next: place + 1, cost: 0, claims: [] });
      else if (concepts.some((concept) => token.slips.has(concept)))
        found.push({ value: token, next: place + 1, cost: SLIP_COST, claims: [] });
    }
    return found;
  };
}

/** One token that passes the test. */
export function token<T>(read: (token: Token) => T | undefined, cost = 0): Parser<T> {
  return (input, at) => {
    const found: Match<T>[] = [];
    for (const { token: each, at: place } of places(input, at)) {
      const value = read(each);
      if (value !== undefined) found.push({ value, next: place + 1, cost, claims: [] });
    }
    return found;
  };
}

type Values<P extends readonly Parser<unknown>[]> = { [I in keyof P]: P[I] extends Parser<infer T> ? T : never };

export function seq<const P extends readonly Parser<unknown>[]>(...parsers: P): Parser<Values<P>> {
  return remembered((input, at) => {
    let partial: Match<unknown[]>[] = [{ value: [], next: at, cost: 0, claims: [] }];
    for (const parser of parsers) {
      const longer: Match<unknown[]>[] = [];
      for (const before of partial) {
        for (const match of parser(input, before.next)) {
          longer.push({
            value: [...before.value, match.value],
            next: match.next,
            cost: before.cost + match.cost,
            claims: match.claims.length === 0 ? before.claims : [...before.claims, ...match.claims],
          });
        }
      }
      if (longer.length === 0) return [];
      partial = best(longer);
      input.work.count += partial.length;
    }
    // Each entry is the value of the parser at its place.
    return partial as unknown as readonly Match<Values<P>>[];
  });
}

export function alt<const P extends readonly Parser<unknown>[]>(...parsers: P): Parser<Values<P>[number]> {
  return remembered(
    (input, at) => parsers.flatMap((parser) => [...parser(input, at)]) as readonly Match<Values<P>[number]>[],
  );
}

export function opt<T>(parser: Parser<T>): Parser<T | undefined> {
  return (input, at) => [...parser(input, at), { value: undefined, next: at, cost: 0, claims: [] }];
}

/** As many as there are, or fewer. */
export function many<T>(parser: Parser<T>, least = 0): Parser<T[]> {
  return remembered((input, at) => {
    const found: Match<T[]>[] = [];
    let partial: Match<T[]>[] = [{ value: [], next: at, cost: 0, claims: [] }];
    for (let count = 0; partial.length > 0 && count < 40; count++) {
      if (count >= least) found.push(...partial);
      const longer: Match<T[]>[] = [];
      for (const before of partial) {
        for (const match of parser(input, before.next)) {
          if (match.next === before.next) continue;
          longer.push({
            value: [...before.value, match.value],
            next: match.next,
            cost: before.cost + match.cost,
            claims: [...before.claims, ...match.claims],
          });
        }
      }
      partial = [...best(longer)];
    }
    return best(found.reverse());
  });
}

/** One or more with separators between them. */
export function list<T>(item: Parser<T>, separator: Parser<unknown>): Parser<T[]> {
  return map(seq(item, many(map(seq(separator, item), ([, value]) => value))), ([first, rest]) => [first, ...rest]);
}

/** Makes something of what was read; `undefined` rejects the reading. */
export function map<T, U>(parser: Parser<T>, make: (value: T, input: Input) => U | undefined, cost = 0): Parser<U> {
  return (input, at) =>
    parser(input, at).flatMap((match) => {
      const value = make(match.value, input);
      return value === undefined ? [] : [{ ...match, value, cost: match.cost + cost }];
    });
}

/** Every name in this reading must exist. */
export function mustExist<T>(parser: Parser<T>): Parser<T> {
  return (input, at) =>
    parser(input, at).map((match) => ({ ...match, claims: match.claims.map((claim) => ({ ...claim, must: true })) }));
}

/** A parser that may refer to itself by way of others. */
export function rule<T>(make: () => Parser<T>): Parser<T> {
  let parser: Parser<T> | undefined;
  return remembered((input, at) => {
    parser ??= make();
    return distinct(parser(input, at));
  });
}

/** Remembers what was read where, so that rules that share it don't read it again. */
function remembered<T>(parser: Parser<T>): Parser<T> {
  const key = {};
  return (input, at) => {
    let known = input.memo.get(key);
    if (!known) {
      known = new Map();
      input.memo.set(key, known);
    }
    // What this parser has stored is of its own type.
    let found = known.get(at) as readonly Match<T>[] | undefined;
    if (!found) {
      // A rule that begins with itself reads nothing there.
      known.set(at, []);
      input.work.count++;
      found = input.work.count > MAX_WORK ? [] : best([...parser(input, at)]);
      known.set(at, found);
    }
    return found;
  };
}

/** Nothing but fillers is left. */
export const end: Parser<true> = ({ tokens }, at) =>
  tokens.slice(at).every(({ concepts }) => concepts.has('FILLER') || concepts.has('STOP'))
    ? [{ value: true, next: tokens.length, cost: 0, claims: [] }]
    : [];

/** Where there are too many, the cheapest that end at each place, and the cheapest of each set of names. */
function best<T>(matches: Match<T>[]): Match<T>[] {
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
function distinct<T>(matches: readonly Match<T>[]): readonly Match<T>[] {
  if (matches.length < MAX_ALIKE) return matches;
  const kept = new Map<string, Match<T>>();
  for (const match of matches.toSorted((a, b) => a.cost - b.cost)) {
    const key = JSON.stringify([match.next, match.value, match.claims], withoutTokens);
    if (!kept.has(key)) kept.set(key, match);
  }
  return [...kept.values()];
}

/** Tokens count by what they mean; the sets in them are not written by themselves. */
function withoutTokens(_: string, value: unknown): unknown {
  return value instanceof Set ? [...value].join() : value;
}
