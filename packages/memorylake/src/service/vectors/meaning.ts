import type { Logger } from '@atoll-mcp/core';
import type { SearchFilter, SearchHit } from '@atoll-mcp/core/storage';
import { relatedness } from '@atoll-mcp/storage/search';
import type { LakeEmbedder } from '../../backends/interface.ts';
import { isMultilingual } from '../../domain/fuse.ts';
import { isEnglish, isInScriptOf, isLatin } from '../../domain/language.ts';
import type { Catalog } from '../catalog.ts';
import type { LakeIndex } from '../lake-index.ts';
import type { LakeModels } from './file-vectors.ts';
import { countVectors, noticeOf } from './vector-counts.ts';

/** Cosine that a passage without any of the keywords needs; it also needs half the cosine of the nearest. */
const MIN_COSINE = { own: 0.3, multilingual: 0.15 } as const;
const MIN_OF_BEST = 0.5;
/** For questions in a script that the model does not know. */
const LOW_TRUST = 0.03;

interface Near {
  /** Best first, for each model. */
  readonly hits: readonly SearchHit[];
  /** How well the model understands the question, 0 to 1. */
  readonly trust: number;
  readonly mode: 'hybrid' | 'keywords';
  /** Set if the search was limited, with the reason. */
  readonly notice: string | undefined;
}

interface FindOptions {
  readonly k: number;
  readonly filter: SearchFilter;
  readonly signal?: AbortSignal;
}

/**
 * Finds passages by meaning. An English question is compared with English text by the lake's own model, which is better at that; all
 * else by the multilingual one, where it is installed.
 */
export class Meaning {
  readonly #options: MeaningOptions;

  constructor(options: MeaningOptions) {
    this.#options = options;
  }

  async find(question: string, options: FindOptions): Promise<Near> {
    const { catalog, embedder, multilingual } = this.#options;
    const keywords = { hits: [], trust: 1, mode: 'keywords' } as const;
    if (!embedder && !multilingual)
      return { ...keywords, notice: 'Only keywords were used: this lake runs without an embedding model.' };
    const counts = await countVectors(catalog, this.#options);
    const english = isEnglish(question);
    const isOther = english === false && !!multilingual;
    try {
      const [own, other] = await Promise.all([
        isOther ? undefined : this.#own(question, counts.ofOtherModels > 0, options),
        multilingual && this.#translated(multilingual, question, english === true, options),
      ]);
      if (!own && !other) return { ...keywords, notice: OTHER_MODEL };
      const knows =
        isOther && multilingual.model.languages
          ? isInScriptOf(multilingual.model.languages, question)
          : isOther || isLatin(question) || (embedder !== undefined && isMultilingual(embedder.model.name));
      return {
        hits: [...(own ?? []), ...(other ?? [])],
        trust: knows ? 1 : LOW_TRUST,
        mode: 'hybrid',
        notice: noticeOf(counts) ?? (english === false ? noticeOfLanguage(isOther, knows, embedder) : undefined),
      };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof NotEmbedded)) throw error;
      this.#options.log.warn('question not embedded, searched by keywords only', { error: error.cause });
      return { ...keywords, notice: 'Only keywords were used: the embedding model is not available at the moment.' };
    }
  }

  /** Searches by the lake's own model; empty if its dimensions differ from the lake's. */
  async #own(question: string, isMixed: boolean, { filter, ...rest }: FindOptions) {
    const { embedder, index } = this.#options;
    if (!embedder || !(await index.takesVectors())) return undefined;
    const vector = await vectorOf(embedder, question, rest.signal);
    // Vectors of different models cannot be compared; older memories are found by keywords until they are read again.
    const attributes = { ...filter.attributes, ...(isMixed && { model: embedder.identity }) };
    const found = await (await index.index()).search({ ...rest, vector, filter: { ...filter, attributes } });
    return nearest(related(found.vector, embedder), MIN_COSINE.own);
  }

  /** Searches by the multilingual model; for English questions, in text of other languages only. */
  async #translated(
    embedder: LakeEmbedder,
    question: string,
    isForeignOnly: boolean,
    { filter, ...rest }: FindOptions,
  ): Promise<SearchHit[]> {
    const vector = await vectorOf(embedder, question, rest.signal);
    const attributes = { ...filter.attributes, ...(isForeignOnly && { english: false }) };
    const hits = await this.#options.index.languages.search(vector, { ...rest, filter: { ...filter, attributes } });
    return nearest(related(hits, embedder), MIN_COSINE.multilingual);
  }
}

class NotEmbedded extends Error {}

async function vectorOf(embedder: LakeEmbedder, text: string, signal?: AbortSignal): Promise<Float32Array> {
  const options = { priority: 'interactive', ...(signal && { signal }) } as const;
  const [vector] = await embedder.embed([embedder.model.prompts.query + text], options).catch((cause) => {
    throw new NotEmbedded('not embedded', { cause });
  });
  if (!vector) throw new NotEmbedded('the model gave no vector');
  return vector;
}

/** Rescales cosines, which are not comparable between models. */
const related = (hits: readonly SearchHit[], { model }: LakeEmbedder): SearchHit[] =>
  hits.map((hit) => ({ ...hit, score: relatedness(hit.score, model.unrelatedCosine) }));

function nearest(hits: readonly SearchHit[], min: number): SearchHit[] {
  const bar = Math.max(min, (hits[0]?.score ?? 0) * MIN_OF_BEST);
  return hits.filter(({ score }) => score >= bar);
}

/** The notice for questions in a language that the model does not know. */
function noticeOfLanguage(isOther: boolean, knows: boolean, embedder: LakeEmbedder | undefined): string | undefined {
  if (isOther) return knows ? undefined : OTHER_SCRIPT;
  return embedder && isMultilingual(embedder.model.name) ? undefined : ENGLISH_ONLY;
}

const OTHER_MODEL =
  'Only keywords were used: the vectors in this lake are from another model. Run "memorylake reindex".';
const ENGLISH_ONLY =
  'The question is not English and the embedding model knows English only: words decided. "memorylake reindex --multilingual" adds a model of over 90 languages.';
const OTHER_SCRIPT =
  'The multilingual model does not know the script of the question: words decided. "memorylake reindex --multilingual" adds one of over 90 languages.';

interface MeaningOptions extends LakeModels {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly log: Logger;
}
