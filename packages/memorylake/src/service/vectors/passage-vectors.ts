import type { LakeEmbedder } from '../../backends/interface.ts';
import { between, windowsOf } from '../../domain/text/windows.ts';

const BATCH = 64;

interface PassageText {
  readonly text: string;
  /** Headings or columns, embedded with the passage but not with its windows. */
  readonly context: string;
  /** Rows of a table have no sentences, so they get one vector. */
  readonly isTable: boolean;
}

/** For each passage one vector per window, between those of window and passage; a passage without windows has one vector. */
export async function passageVectors(
  embedder: LakeEmbedder,
  passages: readonly PassageText[],
  signal: AbortSignal,
): Promise<Float32Array[][]> {
  const { query, passage: prompt } = embedder.model.prompts;
  // Retrieval models find passages less well by their sentences; measured in bench/languages.mjs.
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
