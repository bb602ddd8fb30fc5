/** Deeper JSON than this is refused: code that walks it by recursion would overflow the stack. */
export const MAX_JSON_DEPTH = 100;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/** An empty list takes three bytes of text and forty of the host's memory. */
export const MAX_CONTAINERS = 4_000_000;

/** Parses JSON from untrusted code. Depth and size are counted before anything is built. Throws on what does not fit. */
export function parseUntrustedJson(text: Buffer, maxDepth = MAX_JSON_DEPTH): unknown {
  const problem = problemOf(text, maxDepth);
  if (problem) throw new Error(problem);
  return JSON.parse(text.toString('utf8'));
}

/** A text field of a message, with lone surrogates replaced so that it can be encoded again. */
export function textField(message: object, name: string, maxLength: number): string {
  const value = field(message, name);
  if (typeof value !== 'string' || value.length > maxLength)
    throw new Error(`${name} must be text of at max ${maxLength} characters`);
  return Buffer.from(value).toString('utf8');
}

/** A field of the message itself, never one that it inherits. */
export function field(message: object, name: string): unknown {
  return Object.hasOwn(message, name) ? (message as Record<string, unknown>)[name] : undefined;
}

function problemOf(text: Uint8Array, max: number): string | undefined {
  let depth = 0;
  let containers = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > max) return `JSON is nested more than ${max} levels deep`;
      if (++containers > MAX_CONTAINERS) return `JSON has more than ${MAX_CONTAINERS} lists and objects`;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
  }
  return undefined;
}
