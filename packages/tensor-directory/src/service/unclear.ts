import type { Concept } from '../domain/prompt/english.ts';
import type { Input, Token } from '../domain/prompt/parser.ts';
import { unread, withoutTokens } from '../domain/prompt/without-tokens.ts';

/** What other tools do, by the words that ask for it. */
const OTHER_TOOLS: readonly (readonly [Concept, string])[] = [
  ['DELETE', 'delete_tensor or delete_model'],
  ['CHANGE', 'update_tensor_metadata or update_model_metadata'],
  ['TRANSFORM', 'transform_tensor'],
  ['EXPORT', 'export_tensor, or transform_tensor to change the dtype'],
  ['PLOT', 'plot_tensor'],
  ['IMPORT', 'import_tensors'],
  ['UPLOAD', 'upload_tensor or upload_model, or transform_tensor to compute with stored tensors'],
];
const HELP =
  "For example: Find tensor named 'x'. Which tensors are float32 and have more than 100 elements? What is the mean of 'x'? Run model 'm' on tensor 'x' and call the output 'y'.";
/** Words that turn what is asked into something else. */
const TURNING: readonly Concept[] = ['EXCEPT', 'BEYOND', 'BUT', 'ONLY', 'TIMES', 'TWICE', 'THRICE', 'IN_A_ROW'];
const REPEATING: readonly Concept[] = ['TIMES', 'TWICE', 'THRICE'];
const REPEAT =
  "It may mean the same run again, or a run on the result. Say 'twice in a row' to run the model on its own result; to repeat a run, ask again.";
const MAX_PART = 5;
/** What is left when more than this is cut from the middle is seldom a sentence. */
const MAX_MIDDLE = 2;
/** A longer prompt, or a third language, is not worth the search. */
const MAX_TOKENS = 30;
const MAX_LANGUAGES = 2;
/** Nor is one that takes longer than a tenth of a second: the count of what was read, over all parts that were left out. */
const MAX_WORK = 24_000;

/** Names the part of a prompt without which it would be understood, and what would work. */
export async function partNotUnderstood(
  prompt: string,
  inputs: readonly Input[],
  isUnderstood: (input: Input) => Promise<boolean>,
  isStored: (text: string) => Promise<boolean>,
): Promise<string | undefined> {
  let work = 0;
  for (const input of inputs.slice(0, MAX_LANGUAGES)) {
    const { tokens } = input;
    const concepts = new Set(tokens.flatMap((token) => [...token.concepts]));
    const other = OTHER_TOOLS.find(([concept]) => concepts.has(concept));
    if (concepts.has('HELP')) return HELP;
    if (other && !concepts.has('NOT')) return `Nothing was done. This tool does not do that; use ${other[1]}.`;
    // What remains of "don't run it" would be the opposite of what was asked.
    if (concepts.has('NOT') || tokens.length > MAX_TOKENS) return undefined;
    if (await isUnderstood(input)) return undefined;
    for (const { from, size } of await partsOf(tokens, isStored)) {
      const removed = tokens.slice(from, from + size);
      // What was read ends before this part, so it cannot be what stands in the way.
      if (from > input.seen.at) continue;
      const rest = withoutTokens(input, from, from + size);
      const isMet = await isUnderstood(rest);
      work += rest.work.count;
      if (work > MAX_WORK) return undefined;
      const shorter = { ...input, ...unread(), tokens: tokens.filter((token) => !removed.includes(token)) };
      if (!isMet || !(await isUnderstood(shorter))) continue;
      const [start, end] = [removed[0]!.start, removed.at(-1)!.end];
      const named = `Not understood: '${prompt.slice(start, end)}'. Nothing was done.`;
      // "Run M on A" is not what "run M on all except A" leaves.
      if (removed.some((token) => REPEATING.some((concept) => token.concepts.has(concept))))
        return `${named} ${REPEAT}`;
      if (removed.some((token) => TURNING.some((concept) => token.concepts.has(concept)))) return named;
      if (size > MAX_MIDDLE && from > 0 && from + size < tokens.length - 1) return named;
      const without = `${prompt.slice(0, start)}${prompt.slice(end)}`
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\s(?=[?!.,]|$)/g, '');
      return `${named} Without it, this would be understood: ${without.trim()}`;
    }
  }
  return undefined;
}

/** What may be left out, the likeliest first: few words, and those that mean nothing here and are not names. */
async function partsOf(
  tokens: readonly Token[],
  isStored: (text: string) => Promise<boolean>,
): Promise<{ from: number; size: number }[]> {
  const isOdd: boolean[] = [];
  for (const { kind, text, concepts } of tokens) {
    const isWord = kind === 'word' && (concepts.size === 0 || TURNING.some((concept) => concepts.has(concept)));
    isOdd.push(isWord && !(await isStored(text)));
  }
  const parts: { from: number; size: number; isOdd: boolean }[] = [];
  for (let size = 1; size <= Math.min(MAX_PART, tokens.length - 2); size++) {
    for (let from = tokens.length - size; from >= 0; from--) {
      if (tokens.slice(from, from + size).every((token) => token.concepts.has('FILLER'))) continue;
      parts.push({ from, size, isOdd: isOdd.slice(from, from + size).every(Boolean) });
    }
  }
  return parts.toSorted((a, b) => a.size - b.size || Number(b.isOdd) - Number(a.isOdd));
}
