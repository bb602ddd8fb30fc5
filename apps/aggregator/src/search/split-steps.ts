import { isCjk } from '@atoll-mcp/storage/search';
import { termsOf } from './terms.ts';

/** Sentences and list items, in any script; a point inside a number, name or address ends nothing. */
const SENTENCE_END = /(?<=[.!?;:])\s+|(?<=[。！？；：])|\s*\n+\s*/u;
/** Words that begin the next thing to do. */
const NEXT_STEP =
  /,?\s+(?:and\s+)?(?:then|afterwards|after that|next|also|additionally|in addition|finally|lastly|furthermore|besides|as well as|plus)\b,?\s*|[,，、]?\s*(?:然后|接着|之后|随后|最后|另外|此外|同时|并且|以及|还要|再)|,\s+(?:und dann|dann|außerdem|puis|ensuite|luego|después|además)\s+/giu;
/** Lists within a sentence: split only where both sides say something. */
const LIST = /,\s+and\s+|,\s+|\s+and\s+|[，、]/u;
const FEWEST_TERMS = 2;
const FEWEST_LIST_TERMS = 3;
const MOST_STEPS = 12;

/** The steps of a request, itself included if it has more than one. */
export function splitSteps(request: string): readonly string[] {
  const steps = request
    .split(SENTENCE_END)
    .flatMap((sentence) => sentence.split(NEXT_STEP))
    .flatMap(splitList)
    .map((step) => step.trim())
    .filter((step) => saysEnough(step, FEWEST_TERMS));
  const distinct = [...new Set(steps)].slice(0, MOST_STEPS);
  return distinct.length > 1 ? distinct : [request.trim()];
}

function splitList(sentence: string): string[] {
  const parts: string[] = [];
  for (const part of sentence.split(LIST)) {
    const before = parts.at(-1);
    // What is too short to stand alone belongs to what it was listed with.
    if (before === undefined || (saysEnough(part, FEWEST_LIST_TERMS) && saysEnough(before, FEWEST_LIST_TERMS))) {
      parts.push(part);
    } else parts[parts.length - 1] = `${before}, ${part}`;
  }
  return parts;
}

/** A Chinese term is a pair of signs, so a phrase of as many words has about twice as many. */
function saysEnough(text: string, fewest: number): boolean {
  const terms = new Set(termsOf(text));
  return terms.size >= (isCjk(text.trim()) ? fewest * 2 : fewest);
}
