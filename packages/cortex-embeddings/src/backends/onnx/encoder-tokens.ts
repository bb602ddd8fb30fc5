import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import type { TokenCount } from '../../domain/embedded-text.ts';

export interface EncodedTokens extends TokenCount {
  readonly ids: readonly number[];
  /** 1 for the second of a pair. */
  readonly types: readonly number[];
}

interface SentencePieceMarks {
  readonly startToken: number;
  readonly endToken: number;
  /** Where the model itself does not normalise. */
  readonly normalise?: (text: string) => string;
}

/** Turns a text, or a pair of them, into the ids that a model knows, cut to what it sees. */
type EncodeTokens = (text: string, pair?: string) => EncodedTokens;

// A megabyte takes a tokenizer more than a second, and the model would see a thousandth of it.
const MIN_CHARACTERS = 32_768;
const CHARACTERS_PER_TOKEN = 8;

/** For a `tokenizer.json`: WordPiece, Unigram or BPE, with the marks that it says itself. */
export async function openTokenizer(path: string, maxTokens: number): Promise<EncodeTokens> {
  const tokenizer = new Tokenizer(JSON.parse(await readFile(path, 'utf8')), {});
  const maxCharacters = Math.max(MIN_CHARACTERS, maxTokens * CHARACTERS_PER_TOKEN);
  return (text, pair) => {
    const isCut = text.length > maxCharacters || (pair?.length ?? 0) > maxCharacters;
    const { ids, token_type_ids: types } = tokenizer.encode(text.slice(0, maxCharacters), {
      return_token_type_ids: true,
      ...(pair !== undefined && { text_pair: pair.slice(0, maxCharacters) }),
    });
    return cut(ids, types, maxTokens, isCut);
  };
}

/** For a SentencePiece model, with the marks that go around a text. */
export const openSentencePiece =
  ({ startToken, endToken, normalise = (text) => text }: SentencePieceMarks) =>
  async (path: string, maxTokens: number): Promise<EncodeTokens> => {
    const { SentencePieceProcessor } = await import('sentencepiece-js');
    const processor = new SentencePieceProcessor();
    await processor.load(path);
    return (text) => {
      const isCut = text.length > MIN_CHARACTERS;
      const seen = isCut ? text.slice(0, MIN_CHARACTERS) : text;
      // It drops everything behind half a character.
      const pieces = processor.encodeIds(normalise(Buffer.from(seen, 'utf8').toString('utf8')));
      const ids = [startToken, ...pieces, endToken];
      return cut(
        ids,
        ids.map(() => 0),
        maxTokens,
        isCut,
      );
    };
  };

/** The last id says that the text ends, also where it was cut. */
function cut(ids: readonly number[], types: readonly number[], maxTokens: number, isCut: boolean): EncodedTokens {
  const tokens = ids.length;
  if (tokens <= maxTokens) return { ids, types, tokens, truncated: isCut };
  return {
    ids: [...ids.slice(0, maxTokens - 1), ids.at(-1)!],
    types: [...types.slice(0, maxTokens - 1), types.at(-1)!],
    tokens,
    truncated: true,
  };
}
