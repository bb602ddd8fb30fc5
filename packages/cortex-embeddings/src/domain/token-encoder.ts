import { Tokenizer } from '@huggingface/tokenizers';
import type { TokenCount } from './embedded-text.ts';
import { minilm } from './minilm.ts';

export interface EncodedText extends TokenCount {
  readonly ids: Int32Array;
}

// A megabyte takes the tokenizer more than a second, and the model would see a thousandth of it.
const MAX_CHARACTERS = 32_768;

/** Turns texts into the ids that the model knows. */
export class TokenEncoder {
  readonly #tokenizer: Tokenizer;

  constructor(tokenizerJson: object) {
    this.#tokenizer = new Tokenizer(tokenizerJson, {});
  }

  encode(text: string): EncodedText {
    const isCut = text.length > MAX_CHARACTERS;
    const { ids } = this.#tokenizer.encode(isCut ? text.slice(0, MAX_CHARACTERS) : text);
    const tokens = ids.length;
    const truncated = isCut || tokens > minilm.maxTokens;
    const seen = Int32Array.from(tokens > minilm.maxTokens ? ids.slice(0, minilm.maxTokens) : ids);
    // The last id says that the text ends, also where it was cut.
    seen[seen.length - 1] = minilm.separatorToken;
    return { ids: seen, tokens, truncated };
  }

  count(text: string): TokenCount {
    const { tokens, truncated } = this.encode(text);
    return { tokens, truncated };
  }
}
