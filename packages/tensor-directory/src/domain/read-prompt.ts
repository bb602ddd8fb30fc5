import type { Criteria, Intent } from './intent.ts';
import { readCriteria } from './prompt-criteria.ts';
import { type FoundName, isIdentifier, nameAt, phraseAt, skipNaming } from './prompt-names.ts';
import { readRun, startsRun } from './prompt-run.ts';
import { type Token, tokenise } from './prompt-tokens.ts';
import {
  ATTRIBUTES,
  CHANGING,
  LOOKING,
  NEGATIONS,
  NOT_SERVED,
  PHRASE_STOPS,
  POLITE,
  READING,
  SEARCHING,
} from './prompt-words.ts';

const unclear: Intent = { kind: 'unclear' };

/** No request in one sentence is longer. */
const MAX_LENGTH = 4_000;

/** What a person asks of the directory, in many phrasings and with slips forgiven. Never guesses beyond what it can do. */
export function readPrompt(prompt: string): Intent {
  if (prompt.length > MAX_LENGTH) return unclear;
  const tokens = tokenise(prompt);
  const start = tokens.findIndex((token) => token.kind !== 'mark' && !(token.kind === 'word' && POLITE.has(token.key)));
  const lead = tokens[start];
  if (!lead) return unclear;
  const asked = tokens.slice(start);
  if (isRefused(tokens, asked)) return unclear;
  const counted = readCount(asked);
  if (counted) return counted;
  const running = readRun(asked, asksForRun(asked));
  if (running) return running;
  if (!looks(asked)) return unclear;
  return readMany(asked) ?? readOne(asked) ?? unclear;
}

/** Where a request for a run begins: at its verb, or at "the output of model …". */
function asksForRun(asked: readonly Token[]): number {
  if (asked[0]!.kind === 'word' && startsRun(asked[0]!.key)) return 0;
  if (!asked.some(({ key }) => key === 'model')) return -1;
  return asked.findIndex(
    ({ key }, i) =>
      key === 'inference' ||
      (['prediction', 'output', 'result'].includes(key) && ['of', 'from'].includes(asked[i + 1]?.key ?? '')),
  );
}

function isRefused(tokens: readonly Token[], asked: readonly Token[]): boolean {
  const [lead, second] = asked;
  const asksSize = lead!.key === 'how' && ['many', 'big', 'large'].includes(second?.key ?? '');
  if (lead!.kind === 'word' && (CHANGING.has(lead!.key) || NOT_SERVED.has(lead!.key)) && !asksSize) return true;
  return tokens.some((token, i) => {
    if (token.kind !== 'word') return false;
    // "find X and delete it": half of it would be the wrong half.
    const follows = ['and', 'then', ',', ';', '.'].includes(tokens[i - 1]?.key ?? '');
    return (NEGATIONS.has(token.key) && i < 6) || (CHANGING.has(token.key) && follows);
  });
}

function looks([lead, second]: readonly Token[]): boolean {
  if (lead!.kind !== 'word') return false;
  if (LOOKING.has(lead!.key) || lead!.key === 'how') return true;
  if (['tensor', 'tensors', 'model', 'models'].includes(lead!.key)) return second !== undefined;
  return ATTRIBUTES.has(lead!.key) || (isIdentifier(lead) && ATTRIBUTES.has(second?.key ?? ''));
}

function readCount(asked: readonly Token[]): Intent | undefined {
  const keys = asked.map(({ key }) => key);
  const counting =
    (keys[0] === 'how' && keys[1] === 'many') ||
    keys[0] === 'count' ||
    keys.slice(0, 5).includes('number') ||
    keys.slice(0, 4).includes('count') ||
    keys[0] === 'total';
  const noun = keys.findIndex((key) => key === 'tensors' || key === 'models');
  if (!counting || noun < 0) return undefined;
  const rest = asked.filter((_, i) => i !== noun && !['how', 'many', 'count', 'number', 'total'].includes(keys[i]!));
  const criteria = readCriteria(rest, { freeWords: false });
  return criteria ? { kind: 'count', what: keys[noun] as 'tensors' | 'models', criteria } : unclear;
}

/** Requests for tensors or models in the plural, or for any one that meets a description. */
function readMany(asked: readonly Token[]): Intent | undefined {
  const noun = asked.findIndex(
    ({ key, kind }) => kind === 'word' && ['tensors', 'models', 'vectors', 'matrices', 'scalars'].includes(key),
  );
  if (noun >= 0) {
    const kind = asked[noun]!.key === 'models' ? 'find_models' : 'find_tensors';
    const keys = asked.map(({ key }) => key);
    // "What are tensors?" is a question about the world.
    if (
      ['are', 'is'].includes(keys[1] ?? '') &&
      noun === 2 &&
      keys[0] === 'what' &&
      asked.slice(3).every((t) => t.kind === 'mark')
    )
      return unclear;
    if (['tensors', 'models'].includes(keys[0]!) && ['are', 'is'].includes(keys[1] ?? '')) return unclear;
    const rest = asked.filter(
      (token, i) => !(i === noun && ['tensors', 'models'].includes(token.key)) && !(i === 0 && LOOKING.has(token.key)),
    );
    const criteria = readCriteria(rest, { freeWords: SEARCHING.has(keys[0]!) });
    return criteria ? { kind, criteria } : unclear;
  }
  const single = asked.findIndex(({ key }) => key === 'tensor');
  if (single < 0 || nameOf(asked, single)) return undefined;
  const rest = asked.filter((_, i) => i !== single && !(i === 0));
  const criteria = readCriteria(rest, { freeWords: false });
  // "Is 'x' a tensor?" names one, with the name first.
  const naming = ['is', 'does'].includes(asked[0]!.key) && criteria?.text;
  return criteria && narrows(criteria) && !naming ? { kind: 'find_tensors', criteria } : undefined;
}

function narrows({ dtypes, shape, ndim, tag, text, nameContains, createdAfter, createdBefore }: Criteria): boolean {
  return [dtypes, shape, ndim, tag, text, nameContains, createdAfter, createdBefore].some((part) => part !== undefined);
}

/** Requests about one tensor or model. */
function readOne(asked: readonly Token[]): Intent | undefined {
  const model = asked.findIndex(({ key, kind }) => kind === 'word' && key === 'model');
  const tensor = asked.findIndex(({ key, kind }) => kind === 'word' && key === 'tensor');
  if (model >= 0 && (tensor < 0 || model < tensor)) {
    const found = nameOf(asked, model);
    return found && { kind: 'get_model', name: found.name, ...(!isCertain(asked, found) && { guess: true }) };
  }
  if (tensor >= 0) {
    const found = nameOf(asked, tensor);
    if (found) return { kind: 'get_tensor', name: found.name, ...(!isCertain(asked, found) && { guess: true }) };
  }
  return unnamed(asked);
}

/** "What is tensor flow?" may be anything; "find tensor flow" names a tensor. */
function isCertain(asked: readonly Token[], found: FoundName): boolean {
  if (found.sure) return true;
  const verb = asked[0]!.key;
  const meant = SEARCHING.has(verb) || READING.has(verb) || asked.some(({ key }) => ATTRIBUTES.has(key));
  return meant && !found.name.includes(' ');
}

/** A name beside the word "tensor" or "model": "tensor named X", "the X tensor". */
function nameOf(asked: readonly Token[], noun: number): FoundName | undefined {
  const naming = skipNaming(asked, noun + 1);
  const after = phraseAt(asked, naming.at, PHRASE_STOPS, naming.named);
  if (after && naming.named) return { ...after, sure: true };
  if (after && !isQuality(asked[naming.at]!)) return after;
  return noun > 0 ? nameAt(asked, noun - 1, false) : undefined;
}

/** "a tensor with dtype …", "a tensor containing …" describe and do not name. */
function isQuality(token: Token): boolean {
  return (
    token.kind === 'word' &&
    ['having', 'whose', 'that', 'which', 'tagged', 'where', 'created', 'made', 'mentioning'].includes(token.key)
  );
}

/** Nothing says what the name is of: a quoted or well-formed one counts, an ordinary word is a guess. */
function unnamed(asked: readonly Token[]): Intent | undefined {
  const attribute = asked.some(({ key, kind }) => kind === 'word' && ATTRIBUTES.has(key));
  const places = asked.map((_, i) => i).filter((i) => i > 0 || isIdentifier(asked[i]));
  const clear = places.map((i) => nameAt(asked, i, false)).filter((found) => found !== undefined);
  if (clear.length > 1) return undefined;
  if (clear[0]) {
    const guess = !attribute && asked[0]!.key === 'what';
    return { kind: 'get_tensor', name: clear[0].name, anyKind: true, ...(guess && { guess }) };
  }
  const of = asked.findIndex(({ key }) => ['of', 'for', 'about', 'on'].includes(key));
  const verbOnly = !attribute && (SEARCHING.has(asked[0]!.key) || asked[0]!.key === 'load');
  const from = attribute && of >= 0 ? of + 1 : verbOnly ? 1 : -1;
  if (from < 0) return undefined;
  const found = phraseAt(
    asked,
    ['the', 'my', 'our', 'me'].includes(asked[from]?.key ?? '') ? from + 1 : from,
    PHRASE_STOPS,
  );
  return found && { kind: 'get_tensor', name: found.name, anyKind: true, guess: true };
}
