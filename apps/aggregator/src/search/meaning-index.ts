import type { Logger } from '@atoll-mcp/core';
import { relatedness } from '@atoll-mcp/storage/search';
import type { Entry, Member } from '../catalog/catalog.ts';
import type { Similarities } from './tool-search.ts';
import { meaningsOf, serverMeaning } from './tool-texts.ts';
import type { EmbeddingModel, Vector, VectorCache } from './vector-cache.ts';

export interface MeaningIndexOptions {
  /** Undefined where meaning cannot be compared. Of several models the similarities are averaged. */
  readonly models?: (() => Promise<readonly EmbeddingModel[]>) | undefined;
  readonly cache: Pick<VectorCache, 'embed'>;
  readonly log: Logger;
}

interface Vectors {
  /** One or two per tool; the nearest counts. */
  readonly tools: readonly (readonly Vector[])[];
  readonly servers: readonly Vector[];
}

type Groups = readonly (readonly [Member, readonly Entry[]])[];

/** Vectors of tools and servers, compared with those of a request. */
export class MeaningIndex {
  readonly #entries: readonly Entry[];
  readonly #groups: Groups;
  readonly #options: MeaningIndexOptions;
  readonly #vectors = new Map<string, Promise<Vectors>>();
  #hasVectors = false;
  #isReady = false;

  constructor(entries: readonly Entry[], groups: Groups, options: MeaningIndexOptions) {
    this.#entries = entries;
    this.#groups = groups;
    this.#options = options;
  }

  /** Whether the models are loaded and the vectors made, so that only those of a request are to be computed. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether the vectors of tools are there; a model may still be loading, for that of a request. */
  get hasVectors(): boolean {
    return this.#hasVectors;
  }

  /** Loads the models and makes the vectors that are not kept yet. */
  prepare(): void {
    const { models, log } = this.#options;
    void models?.()
      .then((all) => Promise.all(all.map((model) => this.#compareBy(model, ['tools']))))
      .then(() => {
        this.#isReady = true;
      })
      .catch((error: unknown) => log.warn('tools not embedded', { error }));
  }

  /** Cosine similarity of each tool and server to each text; undefined without an embedder. */
  async compare(texts: readonly string[]): Promise<readonly Similarities[] | undefined> {
    const { models, log } = this.#options;
    if (!models) return undefined;
    try {
      const chosen = modelsFor(texts.at(-1) ?? '', await models());
      const perModel = await Promise.all(chosen.map((model) => this.#compareBy(model, texts)));
      this.#isReady = true;
      return texts.map((_, index) => mean(perModel.map((similarities) => similarities[index]!)));
    } catch (error) {
      // Words still find most tools, so continue without vectors.
      log.warn('tools not embedded', { error });
      this.#vectors.clear();
      this.#hasVectors = false;
      this.#isReady = false;
      return undefined;
    }
  }

  async #compareBy(model: EmbeddingModel, texts: readonly string[]): Promise<readonly Similarities[]> {
    const known = this.#vectors.get(model.identity) ?? this.#embedAll(model);
    this.#vectors.set(model.identity, known);
    // The model loads while kept vectors are read.
    const [{ tools, servers }, wanted] = await Promise.all([known, model.embed(texts)]);
    const similarity = (a: Vector, b: Vector) => relatedness(product(a, b), model.unrelatedCosine);
    return wanted.map((vector) => ({
      tools: Float64Array.from(tools, (all) => Math.max(...all.map((tool) => similarity(vector, tool)))),
      servers: Float64Array.from(servers, (server) => similarity(vector, server)),
    }));
  }

  /** A tool's vectors are the mean of those of its full description and its first sentence, and that of its keywords. */
  async #embedAll(model: EmbeddingModel): Promise<Vectors> {
    const meanings = this.#entries.map(meaningsOf);
    const servers = this.#groups.map(([{ supervisor }, own]) => serverMeaning(supervisor.key, supervisor.link, own));
    const texts = [...new Set([...meanings.flat(), ...servers])].filter((text) => text !== '');
    const made = await this.#options.cache.embed(model, texts);
    const vectors = new Map(texts.map((text, index) => [text, made[index] ?? []]));
    const vectorOf = (text: string) => vectors.get(text) ?? [];
    this.#hasVectors = true;
    return {
      tools: meanings.map(([full, head, keywords]) => {
        const described = between(vectorOf(full), vectorOf(head));
        return keywords === '' ? [described] : [described, vectorOf(keywords)];
      }),
      servers: servers.map(vectorOf),
    };
  }
}

/** A request in another script says nothing to a model that knows only English. */
function modelsFor(request: string, models: readonly EmbeddingModel[]): readonly EmbeddingModel[] {
  const multilingual = models.filter(({ isMultilingual }) => isMultilingual);
  return multilingual.length > 0 && !isLatin(request) ? multilingual : models;
}

const LATIN_SHARE = 0.8;

function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) >= letters * LATIN_SHARE;
}

function mean(all: readonly Similarities[]): Similarities {
  const [first] = all;
  if (all.length === 1) return first!;
  const average = (key: keyof Similarities) =>
    first![key].map((_, index) => all.reduce((sum, each) => sum + each[key][index]!, 0) / all.length);
  return { tools: average('tools'), servers: average('servers') };
}

function between(a: Vector, b: Vector): Float32Array {
  return Float32Array.from(a, (value, index) => (value + (b[index] ?? 0)) / 2);
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
