import type { Box } from '../../domain/document.ts';
import type { PageCharacter } from '../../domain/text/page-lines.ts';

export const UNKNOWN = '\ufffd';

/** A sign of which the file does not say what it is: a minus or a ligature that is left out would change what is read. */
export function knownSign(text: string, box: Box | undefined): PageCharacter {
  if (!box || !/\p{Cc}/u.test(text)) return { text, box };
  const isBlank = box[2] - box[0] === 0 || box[3] - box[1] === 0;
  return isBlank ? { text: ' ', box: undefined } : { text: UNKNOWN, box };
}

/** Letters that are written as one sign, such as lam and alef, are given backwards where the script runs to the left. */
export function inReadingOrder(characters: readonly PageCharacter[]): PageCharacter[] {
  const ordered: PageCharacter[] = [];
  for (let at = 0; at < characters.length; ) {
    let end = at + 1;
    while (end < characters.length && areOneSign(characters[at]!, characters[end]!)) end++;
    const sign = characters.slice(at, end);
    ordered.push(...(sign.length > 1 ? sign.reverse() : sign));
    at = end;
  }
  return ordered;
}

const RIGHT_TO_LEFT = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]$/u;

const areOneSign = (one: PageCharacter, next: PageCharacter): boolean =>
  RIGHT_TO_LEFT.test(one.text) &&
  RIGHT_TO_LEFT.test(next.text) &&
  one.box?.every((side, at) => side === next.box?.[at]) === true;
