import type { Box } from '../../domain/document.ts';
import type { PageCharacter } from '../../domain/text/page-lines.ts';

export const UNKNOWN = '\ufffd';

/** A sign of which the file does not say what it is: a minus or a ligature that is left out would change what is read. */
export function knownSign(text: string, box: Box | undefined): PageCharacter {
  if (!box || !/\p{Cc}/u.test(text)) return { text, box };
  const isBlank = box[2] - box[0] === 0 || box[3] - box[1] === 0;
  return isBlank ? { text: ' ', box: undefined } : { text: UNKNOWN, box };
}

/**
 * Letters that are written as one sign have one box. The engine gives some of them backwards where the script runs to the
 * left; lam and alef tell, since that is the order in which they are written as one.
 */
export function inReadingOrder(characters: readonly PageCharacter[]): PageCharacter[] {
  const signs: PageCharacter[][] = [];
  for (const character of characters) {
    const last = signs.at(-1);
    if (last && areOneSign(last[0]!, character)) last.push(character);
    else signs.push([character]);
  }
  const texts = signs.filter(({ length }) => length > 1).map((sign) => sign.map(({ text }) => text).join(''));
  const areBackwards = texts.some((text) => ALEF_LAM.test(text)) && !texts.some((text) => LAM_ALEF.test(text));
  return signs.flatMap((sign) => {
    const isBackwards = areBackwards || ALEF_LAM.test(sign.map(({ text }) => text).join(''));
    return sign.length > 1 && isBackwards ? sign.reverse() : sign;
  });
}

const ALEF_LAM = /^[\u0622\u0623\u0625\u0627]\u0644$/;
const LAM_ALEF = /^\u0644[\u0622\u0623\u0625\u0627]$/;

/** Whether any sign is known; a page of unknown ones has no text of its own. */
export const hasKnownSigns = (characters: readonly PageCharacter[]): boolean =>
  characters.some(({ text }) => text !== UNKNOWN && text.trim() !== '');

const RIGHT_TO_LEFT = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]$/u;

const areOneSign = (one: PageCharacter, next: PageCharacter): boolean =>
  RIGHT_TO_LEFT.test(one.text) &&
  RIGHT_TO_LEFT.test(next.text) &&
  one.box?.every((side, at) => side === next.box?.[at]) === true;
