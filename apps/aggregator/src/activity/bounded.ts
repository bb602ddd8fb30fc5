import { isObject, type Outcome, RawResult } from '@atoll-mcp/core';

/** Characters per token of a usual tokenizer. */
export const CHARS_PER_TOKEN = 4;

const MAX_NODES = 2_000;
const MAX_ITEMS = 40;
const MAX_DEPTH = 8;
const MAX_STRING = 400;

/** About how many characters a value has as JSON. Long lists are extrapolated from their beginning. */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return 5;
  if (depth > MAX_DEPTH) return 10;
  if (Array.isArray(value)) {
    const seen = Math.min(value.length, depth === 0 ? MAX_NODES : MAX_ITEMS);
    let size = 0;
    for (let index = 0; index < seen; index++) size += sizeOf(value[index], depth + 1) + 1;
    return 2 + (seen === 0 ? 0 : Math.round((size * value.length) / seen));
  }
  let size = 2;
  let fields = 0;
  for (const name in value) {
    if (++fields > MAX_NODES) break;
    size += name.length + 4 + sizeOf((value as Record<string, unknown>)[name], depth + 1);
  }
  return size;
}

/** Estimates how many characters of an outcome a model reads. */
export function answerSize(outcome: Outcome): number {
  if (outcome instanceof RawResult) return outcome.text.length;
  if (outcome instanceof Error) return outcome.message.length;
  const { content } = outcome;
  if (!Array.isArray(content)) return sizeOf(outcome);
  let size = 0;
  for (const part of content) {
    if (isObject(part)) size += typeof part.text === 'string' ? part.text.length : sizeOf(part);
  }
  return size;
}

/** A copy with long texts and lists truncated, so that a recorded call stays small. */
export function clip(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return clipText(value, MAX_STRING);
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => clip(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  const entries = Object.entries(value);
  return Object.fromEntries(entries.slice(0, MAX_ITEMS).map(([name, item]) => [name, clip(item, depth + 1)]));
}

export function clipText(text: string, length: number): string {
  if (text.length <= length) return text;
  // A plain slice would keep the entire text in memory.
  return `${Buffer.from(text.slice(0, length)).toString()}… ${text.length - length} more characters`;
}
