import { cutToWeight, sentences, weigh } from './sentences.ts';

/** Windows of a passage at most. */
export const MAX_WINDOWS = 8;
const MIN_WEIGHT = 100;
const MAX_WEIGHT = 250;

/**
 * The sentences of a passage, short ones joined: a question is nearer to the sentence that answers it than to all that stands around
 * it. A passage of one sentence has none.
 */
export function windowsOf(text: string): string[] {
  const least = Math.max(MIN_WEIGHT, Math.ceil(weigh(text) / MAX_WINDOWS));
  const windows: string[] = [];
  let current = '';
  for (const sentence of sentences(text).flatMap((one) => cutToWeight(one, Math.max(MAX_WEIGHT, least)))) {
    current += sentence;
    if (weigh(current) < least) continue;
    windows.push(current);
    current = '';
  }
  if (current.trim() !== '') windows.push(current);
  const whole = windows.map((window) => window.trim()).filter((window) => window !== '');
  if (whole.length <= MAX_WINDOWS) return whole.length < 2 ? [] : whole;
  return [...whole.slice(0, MAX_WINDOWS - 1), whole.slice(MAX_WINDOWS - 1).join(' ')];
}

/** A vector between that of a passage and that of a window in it, of length 1. */
export function between(passage: Float32Array, window: Float32Array): Float32Array {
  const mixed = passage.map((value, at) => value + window[at]!);
  const length = Math.hypot(...mixed) || 1;
  return mixed.map((value) => value / length);
}
