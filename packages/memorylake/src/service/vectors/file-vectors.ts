import type { Logger } from '@atoll-mcp/core';
import type { LakeEmbedder } from '../../backends/interface.ts';
import type { ReadFile } from '../file-parts.ts';
import { passageVectors } from './passage-vectors.ts';

const BATCH = 64;
const BATCHES_AHEAD = 4;

/** The models of a lake. */
export interface LakeModels {
  readonly embedder: LakeEmbedder | undefined;
  /** For text in other languages, and for questions in another language than the text. */
  readonly multilingual?: LakeEmbedder | undefined;
}

/** Vectors of a file, the card's first, and which models they are from. */
export interface FileVectors {
  readonly vectors?: readonly Float32Array[] | undefined;
  readonly passages?: readonly (readonly Float32Array[])[] | undefined;
  readonly of: { readonly model: string | null; readonly multilingual: string | null };
}

export const noVectors: FileVectors = { of: { model: null, multilingual: null } };

interface Work {
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onDone: (embedded: number) => void;
}

/** The vectors of a file by each model that fits it. If a model fails, the file is found by the other model and by keywords. */
export async function vectorsOf(file: ReadFile, models: LakeModels, work: Work): Promise<FileVectors> {
  const { multilingual } = models;
  // An English model cannot embed other languages; the multilingual one can.
  const embedder = file.english === false && multilingual ? undefined : models.embedder;
  const make = <T>(made: Promise<T>): Promise<T | undefined> =>
    made.catch((error) => {
      work.signal.throwIfAborted();
      work.log.warn('embedding failed', { name: file.name, error });
      return undefined;
    });
  const vectors = embedder && (await make(chunkVectors(embedder, file, work)));
  const passages = multilingual && (await make(languageVectors(multilingual, file, work)));
  return {
    vectors,
    passages,
    of: {
      model: vectors ? embedder!.identity : null,
      multilingual: passages ? multilingual!.identity : null,
    },
  };
}

async function chunkVectors(embedder: LakeEmbedder, { card, chunks }: ReadFile, { signal, onDone }: Work) {
  const { passage: prompt } = embedder.model.prompts;
  const texts = [card.text, ...chunks.map(({ context, text }) => (context === '' ? text : `${context}\n${text}`))];
  const batches: Promise<readonly Float32Array[]>[] = [];
  let done = 0;
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH).map((text) => prompt + text);
    const made = embedder.embed(batch, { priority: 'bulk', signal }).then((vectors) => {
      done += vectors.length;
      onDone(Math.min(done, chunks.length));
      return vectors;
    });
    // Avoid unhandled rejections: the first failure is reported below.
    made.catch(() => {});
    batches.push(made);
    await batches.at(-BATCHES_AHEAD);
  }
  return (await Promise.all(batches)).flat();
}

function languageVectors(embedder: LakeEmbedder, { card, chunks }: ReadFile, { signal }: Work) {
  const texts = chunks.map(({ text, context, place }) => ({ text, context, isTable: place.sheet !== undefined }));
  return passageVectors(embedder, [{ text: card.text, context: '', isTable: true }, ...texts], signal);
}
