import type { Piece } from './e5-file.ts';
import { bytes, float, integer, message, text } from './protobuf.ts';

/** Kinds of pieces and models, by their numbers in SentencePiece's own schema. */
const kindOf = { normal: 1, unknown: 2, control: 3 } as const;
const UNIGRAM = 1;
const controls = new Set(['<s>', '</s>', '<pad>', '<mask>']);

/** A SentencePiece model of pieces whose texts come normalised already. */
export function buildSentencePiece(pieces: readonly Piece[], unknown: number): Buffer<ArrayBuffer> {
  const entries = pieces.flatMap(({ text: piece, score }, id) => {
    const kind = id === unknown ? kindOf.unknown : controls.has(piece.toString()) ? kindOf.control : kindOf.normal;
    return message(1, [...bytes(1, piece), ...float(2, score), ...integer(3, kind)]);
  });
  const trainer = [...integer(3, UNIGRAM), ...integer(4, pieces.length), ...integer(40, unknown)];
  // A space before the text, none doubled, each written as U+2581.
  const normaliser = [...text(1, 'identity'), ...integer(3, 1), ...integer(4, 1), ...integer(5, 1)];
  return Buffer.concat([...entries, ...message(2, trainer), ...message(3, normaliser)]);
}

/** As the pieces of XLM-R were normalised: NFKC but for the full-width tilde, control characters gone, rare spaces made plain. */
export const normaliseForXlmr = (given: string): string =>
  given
    .replace(/[^～]+/g, (part) => part.normalize('NFKC'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]+/g, '')
    .replace(/[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g, ' ');
