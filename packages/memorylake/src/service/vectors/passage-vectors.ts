import type { LakeEmbedder } from '../../backends/interface.ts';
import { between, windowsOf } from '../../domain/text/windows.ts';

const BATCH = 64;

export interface PassageText {
  readonly text: string;
  /** What stands above it, read with the passage and not with its windows. */
  readonly context: string;
  /** Rows of a table have no sentences: one vector says what they are. */
  readonly isTable: boolean;
}

/** For each passage a vector for each of its windows, each between the window and the passage; one where it has none. */
export async function passageVectors(
  embedder: LakeEmbedder,
  passages: readonly PassageText[],
  signal: AbortSignal,
): Promise<Float32Array[][]> {
  const { query, passage: prompt } = embedder.model.prompts;
  // A model that learnt to find passages for questions finds them less well by their sentences; measured in bench/languages.mjs.
  const isForSearch = query !== '';
  const made: Float32Array[][] = [];
  for (let from = 0; from < passages.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = passages.slice(from, from + BATCH).map(({ text, context, isTable }) => ({
      whole: context === '' ? text : `${context}\n${text}`,
      windows: isTable || isForSearch ? [] : windowsOf(text),
    }));
    const texts = batch.flatMap(({ whole, windows }) => [whole, ...windows]).map((text) => prompt + text);
    const vectors = await embedder.embed(texts, { priority: 'bulk', signal });
    let next = 0;
    for (const { windows } of batch) {
      const passage = vectors[next++]!;
      const within = vectors.slice(next, next + windows.length);
      next += windows.length;
      made.push(within.length === 0 ? [passage] : within.map((window) => between(passage, window)));
    }
  }
  return made;
}
