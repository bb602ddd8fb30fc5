import type { Concept } from './english.ts';
import { best, distinct } from './thin-out.ts';

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
  readonly memo: Map<unknown, Map<number, Remembered>>;
  /** The furthest token that was looked at. */
  readonly seen: { at: number };
  /** What was read of the same tokens before some of them were set aside. */
  readonly before?: Before;
  /** How often something was read, so that no prompt takes long. */
  readonly work: { count: number };
}

export interface Remembered {
  readonly found: readonly Match<unknown>[];
  /** The furthest token that this depends on. */
  readonly seen: number;
}

/** The tokens from `from` to `to` were set aside; what was read without them still holds. */
interface Before {
  readonly memo: Input['memo'];
  readonly from: number;
  readonly to: number;
}

/** All ways to read the tokens from a place on. */
export type Parser<T> = (input: Input, at: number) => readonly Match<T>[];

const SLIP_COST = 1;
/** No sentence has more words in a row that say nothing. */
const MAX_FILLERS = 8;
/** A prompt that takes more work than this has too many meanings to be understood. */
const MAX_WORK = 40_000;

/** Tokens from `at` on, over any number of fillers. */
export function* places(input: Input, at: number): Generator<{ token: Token; at: number }> {
  const { tokens } = input;
  for (let i = at; i < tokens.length && i <= at + MAX_FILLERS; i++) {
    look(input, i);
    yield { token: tokens[i]!, at: i };
    if (!tokens[i]!.concepts.has('FILLER')) return;
  }
}

/** Every parser that looks at a token says so; what was read does not depend on the tokens behind it. */
export function look({ seen }: Input, at: number): void {
  if (at > seen.at) seen.at = at;
}

/** Most parsers read nothing at most places. */
const NONE: readonly never[] = [];

/** One token that means any of these. */
export function word(...concepts: Concept[]): Parser<Token> {
  const isAmong = (meant: ReadonlySet<Concept>) => {
    for (const concept of concepts) if (meant.has(concept)) return true;
    return false;
  };
  return (input, at) => {
    let found: Match<Token>[] | undefined;
    for (let i = at; i < input.tokens.length && i <= at + MAX_FILLERS; i++) {
      look(input, i);
      const each = input.tokens[i]!;
      const cost = isAmong(each.concepts) ? 0 : each.slips.size > 0 && isAmong(each.slips) ? SLIP_COST : undefined;
      if (cost !== undefined) {
        found ??= [];
        found.push({ value: each, next: i + 1, cost, claims: NONE });
      }
      if (!each.concepts.has('FILLER')) break;
    }
    return found ?? NONE;
  };
}

/** One token that passes the test. */
export function token<T>(read: (token: Token) => T | undefined, cost = 0): Parser<T> {
  return (input, at) => {
    let found: Match<T>[] | undefined;
    for (let i = at; i < input.tokens.length && i <= at + MAX_FILLERS; i++) {
      look(input, i);
      const each = input.tokens[i]!;
      const value = read(each);
      if (value !== undefined) {
        found ??= [];
        found.push({ value, next: i + 1, cost, claims: NONE });
      }
      if (!each.concepts.has('FILLER')) break;
    }
    return found ?? NONE;
  };
}

type Values<P extends readonly Parser<unknown>[]> = { [I in keyof P]: P[I] extends Parser<infer T> ? T : never };

export function seq<const P extends readonly Parser<unknown>[]>(...parsers: P): Parser<Values<P>> {
  const [first] = parsers;
  const all = remembered((input, at) => {
    let partial: readonly Match<unknown[]>[] = [{ value: [], next: at, cost: 0, claims: NONE }];
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
      if (longer.length === 0) return NONE;
      partial = best(longer);
      input.work.count += partial.length;
    }
    // Each entry is the value of the parser at its place.
    return partial as unknown as readonly Match<Values<P>>[];
  });
  return (input, at) => (first?.(input, at).length === 0 ? NONE : all(input, at));
}

export function alt<const P extends readonly Parser<unknown>[]>(...parsers: P): Parser<Values<P>[number]> {
  return remembered((input, at) => {
    let found: Match<unknown>[] | undefined;
    for (const parser of parsers) {
      const more = parser(input, at);
      if (more.length === 0) continue;
      found ??= [];
      found.push(...more);
    }
    return (found ?? NONE) as readonly Match<Values<P>[number]>[];
  });
}

export function opt<T>(parser: Parser<T>): Parser<T | undefined> {
  return (input, at) => [...parser(input, at), { value: undefined, next: at, cost: 0, claims: NONE }];
}

/** As many as there are, or fewer. */
export function many<T>(parser: Parser<T>, least = 0): Parser<T[]> {
  return remembered((input, at) => {
    const found: Match<T[]>[] = [];
    let partial: readonly Match<T[]>[] = [{ value: [], next: at, cost: 0, claims: NONE }];
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
      partial = best(longer);
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
  return (input, at) => {
    let found: Match<U>[] | undefined;
    for (const match of parser(input, at)) {
      const value = make(match.value, input);
      if (value === undefined) continue;
      found ??= [];
      found.push({ value, next: match.next, cost: match.cost + cost, claims: match.claims });
    }
    return found ?? NONE;
  };
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
    let entry = known.get(at) ?? stillValid(input, key, at);
    if (!entry) {
      // A rule that begins with itself reads nothing there.
      known.set(at, { found: [], seen: at });
      input.work.count++;
      const { seen } = input;
      const outer = seen.at;
      seen.at = at;
      const found = input.work.count > MAX_WORK ? NONE : best(parser(input, at));
      entry = { found, seen: seen.at };
      known.set(at, entry);
      seen.at = outer;
    }
    look(input, entry.seen);
    // What this parser has stored is of its own type.
    return entry.found as readonly Match<T>[];
  };
}

function stillValid({ before }: Input, key: unknown, at: number): Remembered | undefined {
  const entry = before?.memo.get(key)?.get(at);
  if (!before || !entry) return undefined;
  return at >= before.to || entry.seen < before.from ? entry : undefined;
}

/** Nothing but fillers is left. */
export const end: Parser<true> = (input, at) => {
  const { tokens } = input;
  for (let i = at; i < tokens.length; i++) {
    look(input, i);
    const { concepts } = tokens[i]!;
    if (!concepts.has('FILLER') && !concepts.has('STOP')) return [];
  }
  return [{ value: true, next: tokens.length, cost: 0, claims: [] }];
};
