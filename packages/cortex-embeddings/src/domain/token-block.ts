/** Texts that share a run, as [tokens, texts]: the first token of each, the second of each, and so on. */
export interface TokenBlock {
  /** Where each text stood in what was given. */
  readonly indices: readonly number[];
  readonly tokens: number;
  readonly ids: Int32Array;
  readonly places: Int32Array;
  /** 1 for a token of the text itself, 0 for one that only fills it up. */
  readonly present: Float32Array;
}

/** As much as one text at its longest: more at once no longer fits the processor's caches. */
const MAX_TOKENS = 256;
/** A shorter text would be filled up with more than it has. */
const MIN_SHARE = 0.75;

/** Puts texts of nearly the same length together, longest first. */
export function packTexts(texts: readonly Int32Array[], mostTokens = MAX_TOKENS): TokenBlock[] {
  const order = [...texts.keys()].sort((a, b) => texts[b]!.length - texts[a]!.length);
  const blocks: TokenBlock[] = [];
  for (let start = 0; start < order.length; ) {
    const tokens = texts[order[start]!]!.length;
    const end = Math.max(start + 1, Math.min(order.length, start + Math.floor(mostTokens / tokens)));
    const indices = order.slice(start, end).filter((index) => texts[index]!.length >= tokens * MIN_SHARE);
    blocks.push(blockOf(texts, indices, tokens));
    start += indices.length;
  }
  return blocks;
}

/**
 * A shorter text is filled up with copies of its last token at that token's own place. A copy is treated like its original
 * in every layer, so it changes no maximum; being absent, it counts in no sum.
 */
function blockOf(texts: readonly Int32Array[], indices: readonly number[], tokens: number): TokenBlock {
  const size = tokens * indices.length;
  const block = {
    indices,
    tokens,
    ids: new Int32Array(size),
    places: new Int32Array(size),
    present: new Float32Array(size),
  };
  for (const [column, index] of indices.entries()) {
    const text = texts[index]!;
    for (let row = 0; row < tokens; row++) {
      const place = Math.min(row, text.length - 1);
      const at = row * indices.length + column;
      block.ids[at] = text[place]!;
      block.places[at] = place;
      block.present[at] = row < text.length ? 1 : 0;
    }
  }
  return block;
}
