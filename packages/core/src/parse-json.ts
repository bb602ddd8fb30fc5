/** Deeper values would overflow the stack of code that walks them recursively, `JSON.stringify` included. */
export const MAX_DEPTH = 512;

/** An empty list takes three bytes of text and forty of memory: a message within its limit in bytes could end the process. */
export const MAX_CONTAINERS = 4_000_000;

/** JSON that would take too much stack or memory. */
export class UnsafeJsonError extends Error {
  override readonly name = 'UnsafeJsonError';
}

/** `JSON.parse` for text from outside: throws `UnsafeJsonError` before memory is spent on what is too deep or too much. */
export function parseJson(text: string): unknown {
  assertSafeJson(text);
  return JSON.parse(text);
}

export function assertSafeJson(text: string): void {
  if (isTooDeep(text)) throw new UnsafeJsonError(`nested more than ${MAX_DEPTH} levels deep`);
  if (hasTooMany(text)) throw new UnsafeJsonError(`with more than ${MAX_CONTAINERS} lists and objects`);
}

/** Undefined for text that is not JSON, or nested too deep. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Counting the brackets is far cheaper than following the nesting, and enough for almost every message. */
export function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  return countUpTo(text, '[', MAX_DEPTH) + countUpTo(text, '{', MAX_DEPTH) > MAX_DEPTH && depthOf(text) > MAX_DEPTH;
}

function hasTooMany(text: string): boolean {
  if (text.length <= 2 * MAX_CONTAINERS) return false;
  if (countUpTo(text, '[', MAX_CONTAINERS) + countUpTo(text, '{', MAX_CONTAINERS) <= MAX_CONTAINERS) return false;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code | 0x20) === 0x7b && ++count > MAX_CONTAINERS) return true;
    if (code === QUOTE) at = endOfString(text, at);
  }
  return false;
}

function countUpTo(text: string, sign: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= limit; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Brackets and braces differ only in the bit that makes letters lower case.
    if ((code | 0x20) === 0x7b) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (deepest > MAX_DEPTH) return deepest;
    } else if ((code | 0x20) === 0x7d) depth--;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
