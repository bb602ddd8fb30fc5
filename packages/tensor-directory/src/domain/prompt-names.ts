import type { Token } from './prompt-tokens.ts';
import { words } from './prompt-words.ts';
import { parseUuid } from './references.ts';

export interface FoundName {
  readonly name: string;
  /** How sure it is that this is a name: quoted or formed like one, or an ordinary word. */
  readonly sure: boolean;
  /** The first token after it. */
  readonly next: number;
}

const GRAMMAR =
  words(`a an the this that these those my our your its it is are was be been am do does did have has had of for in on at to with
  and or by from as into onto over under through using use via against not no any all every each some please me us i you we
  they them there here what which who whose how many much where when why if then than so but can could would should will shall
  may might must tell named called name give want need like exist exists look looks stored currently now right again also just
  only really kindly quickly thanks thank hi hello hey ok okay tensor tensors model models shape dtype type size dimensions
  dimension dimensional details describe description find search show list get fetch load run execute apply evaluate output
  result save store call input inputs inference prediction contains containing matching about display retrieve locate tagged
  count number up data directory available mentioning related whose their his her`);

export function isGrammar(key: string): boolean {
  return GRAMMAR.has(key);
}

/** Formed like a name that nobody would write in a sentence: `my_tensor`, `v2`, `a.b`, a uuid. */
export function isIdentifier(token: Token | undefined): boolean {
  if (token?.kind !== 'word' || isGrammar(token.key)) return false;
  return /[_@]|\p{L}.*\d|\d.*\p{L}|\p{L}[./-]\p{L}|[a-z][A-Z]/u.test(token.text) || parseUuid(token.text) !== undefined;
}

/** The name at this place, if one can stand here. Ordinary words count only where `plain` allows it. */
export function nameAt(tokens: readonly Token[], at: number, plain: boolean): FoundName | undefined {
  const token = tokens[at];
  if (!token || token.kind === 'mark' || token.kind === 'shape') return undefined;
  if (token.kind === 'quoted') return { name: token.text, sure: true, next: at + 1 };
  if (isIdentifier(token)) return { name: token.text, sure: true, next: at + 1 };
  if (!plain || (isGrammar(token.key) && !isLetterName(tokens, at))) return undefined;
  return { name: token.text, sure: false, next: at + 1 };
}

const AFTER_NAMES = words('and on with to using over as is in through into for please');

/** "Run model a on b" names a model; "run a model on b" does not. */
export function isLetterName(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return /^\p{L}$/u.test(tokens[at]!.text) && (next === undefined || next.kind === 'mark' || AFTER_NAMES.has(next.key));
}

/** All ordinary words from here on as one name. After "called" any word may begin one: "the tensor called my first try". */
export function phraseAt(
  tokens: readonly Token[],
  at: number,
  stops: ReadonlySet<string>,
  called = false,
): FoundName | undefined {
  const first =
    nameAt(tokens, at, true) ?? (called && tokens[at]?.kind === 'word' ? { sure: true, next: at + 1 } : undefined);
  if (!first || tokens[at]!.kind === 'quoted') return first && { ...first, name: tokens[at]!.text };
  let next = first.next;
  while (tokens[next]?.kind === 'word' && !stops.has(tokens[next]!.key)) next++;
  const name = tokens
    .slice(at, next)
    .map((token) => token.text)
    .join(' ');
  return { name, sure: first.sure && next === first.next, next };
}

const NAMING = words('that which named called name id uuid is : = by with the of titled');

/** Skips "named", "with the name", "called" and the like. */
export function skipNaming(tokens: readonly Token[], at: number): { at: number; named: boolean } {
  let place = at;
  let named = false;
  while (tokens[place] && tokens[place]!.kind !== 'quoted' && NAMING.has(tokens[place]!.key)) {
    if (['named', 'called', 'name', 'id', 'uuid'].includes(tokens[place]!.key)) named = true;
    place++;
  }
  return { at: named || tokens[place]?.kind === 'quoted' || isIdentifier(tokens[place]) ? place : at, named };
}
