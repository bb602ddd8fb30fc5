import { Tokenizer } from '@huggingface/tokenizers';
import type { TokenCount } from './embedded-text.ts';
import { minilm } from './graphs/minilm.ts';

interface EncodedText extends TokenCount {
  readonly ids: Int32Array;
}

// A megabyte takes the tokenizer more than a second, and the model would see a thousandth of it.
const MAX_CHARACTERS = 32_768;
/** Longer ones hardly come back. */
const MAX_KEPT_CHARACTERS = 32;
const MAX_KEPT_WORDS = 20_000;

/** Turns texts into the ids that the model knows. */
export class TokenEncoder {
  readonly #tokenizer: Tokenizer;
  readonly #kept = new Map<string, readonly number[]>();

  constructor(tokenizerJson: object) {
    this.#tokenizer = new Tokenizer(tokenizerJson, {});
  }

  encode(text: string): EncodedText {
    const isCut = text.length > MAX_CHARACTERS;
    const ids = this.#idsOf(isCut ? text.slice(0, MAX_CHARACTERS) : text);
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

  /** No token reaches across white space, so words are looked at one by one, and frequent ones only once. */
  #idsOf(text: string): number[] {
    const ids: number[] = [minilm.firstToken];
    for (const word of text.split(/[ \t\n\r]+/)) if (word !== '') ids.push(...this.#idsOfWord(word));
    ids.push(minilm.separatorToken);
    return ids;
  }

  #idsOfWord(word: string): readonly number[] {
    const kept = this.#kept.get(word);
    if (kept) return kept;
    const { ids } = this.#tokenizer.encode(word, { add_special_tokens: false });
    if (word.length <= MAX_KEPT_CHARACTERS) {
      if (this.#kept.size >= MAX_KEPT_WORDS) this.#kept.clear();
      this.#kept.set(word, ids);
    }
    return ids;
  }
}
