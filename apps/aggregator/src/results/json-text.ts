import { parseJson } from '@atoll-mcp/core';

/** Longer texts are not parsed for each part that is read of them. */
const MAX_CHARS = 16_000_000;

/** What a text of JSON says: many servers return lists and objects as text only. Undefined for any other text. */
export function structureOf(text: string): unknown {
  if (text.length > MAX_CHARS || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
