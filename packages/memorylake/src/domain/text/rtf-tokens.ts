/** A token of rich text: a brace, a control word with its number, an escaped byte, or plain characters. */
export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | undefined; readonly isOptional: boolean }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'text'; readonly text: string };

const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi;
const SIGNS: Readonly<Record<string, string>> = { '~': '\u00a0', _: '-', '\\': '\\', '{': '{', '}': '}' };

/** Splits rich text, given as one character per byte. `\*` becomes a mark of the word that follows it. */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  let isOptional = false;
  const token = new RegExp(TOKEN);
  for (let match = token.exec(rtf); match; match = token.exec(rtf)) {
    const [, word, number, hex, sign, brace, text] = match;
    if (word !== undefined) {
      const value = number === undefined ? undefined : Number(number);
      // Raw bytes follow this word: what they hold is not markup.
      if (word === 'bin') token.lastIndex += Math.max(0, value ?? 0);
      else yield { kind: 'word', word, value, isOptional };
      isOptional = false;
    } else if (hex !== undefined) yield { kind: 'byte', byte: Number.parseInt(hex, 16) };
    else if (sign === '*') isOptional = true;
    else if (sign === '\n' || sign === '\r') yield { kind: 'word', word: 'par', value: undefined, isOptional: false };
    else if (sign !== undefined && sign in SIGNS) yield { kind: 'text', text: SIGNS[sign]! };
    else if (brace !== undefined) yield { kind: brace === '{' ? 'open' : 'close' };
    else if (text !== undefined) yield { kind: 'text', text };
  }
}
