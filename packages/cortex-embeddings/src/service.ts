import { type as platformName } from 'node:os';
import { type ClientIdentity, type Logger, silentLogger } from '@atoll-mcp/core';
import type { Cache, RateLimiter } from '@atoll-mcp/core/storage';
import { memoryStorage } from '@atoll-mcp/storage';
import type { Embedder, ModelLibrary } from './backends/interface.ts';
import type { TokenCount } from './domain/embedded-text.ts';
import type { Counters, Embedding } from './domain/embedding.ts';
import type { EmbeddingGenerator } from './domain/generator.ts';
import type { ListedModel } from './domain/models/listed-model.ts';
import type { ModelReport } from './domain/models/model-facts.ts';
import { compareVectors, dotProduct, rankingOf } from './domain/vector.ts';
import { modelNotInstalled, notAnEmbeddingModel, notAReranker } from './errors.ts';
import { checkText, checkTexts, type Limits } from './service/check-texts.ts';
import { EmbeddingPipeline, modelReport } from './service/embedding-pipeline.ts';
import { generatorBackend } from './service/own-generator.ts';
import { checkTopN, type RerankResult, rerankByFusion, rerankWith } from './service/rerank.ts';
import { readStoredVector } from './service/stored-vector.ts';
import { TextQueue } from './service/text-queue.ts';
import { VectorCache } from './service/vector-cache.ts';

export interface EmbeddingServiceOptions {
  /** The model: an embedder of this package, or a generator of your own. */
  readonly generator: Embedder | EmbeddingGenerator;
  /** Other models that calls may name. */
  readonly models?: ModelLibrary | undefined;
  readonly limits?: Partial<Limits>;
  /** How many vectors are kept in memory; 256 when left out. */
  readonly cacheSize?: number;
  /** Where vectors are kept between starts. */
  readonly durableCache?: Cache | undefined;
  /** Left out, a client may make 120 requests a minute; `perMinute: 0` allows any number. */
  readonly rateLimit?: RateLimit | undefined;
  /** How many texts may wait for the model before new ones are refused. */
  readonly maxQueuedTexts?: number;
  /** Which backends could be used here; left out, only the one in use is known. */
  readonly backendsAvailable?: () => Promise<Readonly<Record<string, boolean>>>;
  readonly log?: Logger;
  readonly now?: () => number;
}

export interface RateLimit {
  readonly perMinute: number;
  readonly limiter: RateLimiter;
}

export interface Caller {
  readonly client?: ClientIdentity | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((report: { progress: number; total: number }) => void) | undefined;
}

export interface VectorOptions {
  readonly normalize?: boolean | undefined;
  readonly dimensions?: number | undefined;
  /** Puts the model's own words for a search, or for a text to be found, in front. */
  readonly inputType?: 'query' | 'passage' | undefined;
  /** Left out, the service's own. */
  readonly model?: string | undefined;
}

const defaultLimits: Limits = {
  maxChars: 8_192,
  maxBatchSize: 256,
  maxTotalChars: 1_048_576,
  securityPolicy: 'standard',
};

const DEFAULT_RATE_LIMIT_PER_MINUTE = 120;

/** Checks texts, answers from the cache what it can and has the model do the rest once. */
export class EmbeddingService {
  readonly embedder: Embedder;
  readonly limits: Limits;
  readonly #cache: VectorCache;
  readonly #options: EmbeddingServiceOptions;
  readonly #rateLimit: RateLimit;
  readonly #pipeline: EmbeddingPipeline;

  constructor(options: EmbeddingServiceOptions) {
    const {
      generator,
      cacheSize = 256,
      durableCache,
      log = silentLogger,
      maxQueuedTexts = 8_192,
      now = Date.now,
    } = options;
    this.embedder = isEmbedder(generator) ? generator : new TextQueue(generatorBackend(generator));
    this.limits = { ...defaultLimits, ...options.limits };
    this.#cache = new VectorCache({ size: cacheSize, durable: durableCache, log });
    this.#options = options;
    this.#rateLimit = options.rateLimit ?? defaultRateLimit();
    this.#pipeline = new EmbeddingPipeline({ cache: this.#cache, rateLimit: this.#rateLimit, maxQueuedTexts, now });
  }

  get counters(): Readonly<Counters> {
    return this.#pipeline.counters;
  }

  /** What every answer says of the service's own model. */
  get facts(): ModelReport {
    return modelReport(this.embedder);
  }

  /** The same of a model by its name. */
  async factsOf(model?: string): Promise<ModelReport> {
    return modelReport(await this.#embedderFor(model));
  }

  /** Every model that a call may name, installed or not. */
  async listModels(): Promise<readonly ListedModel[]> {
    return (await this.#options.models?.list()) ?? [];
  }

  /** Which backends could be used here, by name. */
  async backendsAvailable(): Promise<Readonly<Record<string, boolean>>> {
    const found = (await this.#options.backendsAvailable?.()) ?? {};
    const { name, loaded } = this.embedder.state();
    return { mlx: false, sentence_transformers: false, ...found, ...(loaded && { [name]: true }) };
  }

  /** How many requests a client may make in a minute; 0 for any number. */
  get rateLimitPerMinute(): number {
    return this.#rateLimit.perMinute;
  }

  /** Whether the last run of the model succeeded. */
  get status(): 'healthy' | 'degraded' {
    return this.#pipeline.isHealthy ? 'healthy' : 'degraded';
  }

  /** The system's own name for itself. */
  get platform(): string {
    return platformName();
  }

  get cacheSize(): number {
    return this.#cache.size;
  }

  async generate(text: string, options: VectorOptions = {}, caller: Caller = {}): Promise<Embedding> {
    const checked = checkText(text, this.limits);
    const [embedding] = await this.#pipeline.embed(await this.#embedderFor(options.model), [checked], options, caller);
    return embedding!;
  }

  /** One embedding per text, in the order of the texts. */
  async batch(texts: readonly string[], options: VectorOptions = {}, caller: Caller = {}): Promise<Embedding[]> {
    const checked = checkTexts(texts, this.limits);
    return this.#pipeline.embed(await this.#embedderFor(options.model), checked, options, caller);
  }

  /** How near each text is to the query: the cosine, or the plain product of vectors that are not normalized. */
  async similarity(query: string, texts: readonly string[], options: VectorOptions = {}, caller: Caller = {}) {
    const asked = checkText(query, this.limits, 'The query');
    const passages = checkTexts(texts, this.limits);
    const embedder = await this.#embedderFor(options.model);
    const { prompts } = embedder.model;
    const all = [prompts.query + asked, ...passages.map((text) => prompts.passage + text)];
    const { normalize, dimensions } = options;
    const [first, ...embeddings] = await this.#pipeline.embed(embedder, all, { normalize, dimensions }, caller);
    const scores = embeddings.map(({ vector }) => dotProduct(first!.vector, vector));
    return { scores, ranking: rankingOf(scores), embeddings };
  }

  /** Documents in the order in which they answer the query, by the best means there is. */
  async rerank(
    query: string,
    documents: readonly string[],
    options: { readonly topN?: number | undefined; readonly model?: string | undefined } = {},
    caller: Caller = {},
  ): Promise<RerankResult> {
    const { topN, model } = options;
    const asked = checkText(query, this.limits, 'The query');
    const texts = checkTexts(documents, this.limits);
    checkTopN(topN);
    const reranker = await this.#options.models?.reranker(model);
    if (reranker) return rerankWith(reranker, asked, texts, topN, caller);
    if (model !== undefined && (await this.#kindOf(model)) === 'reranker') throw notAReranker(model);
    return rerankByFusion(this.#pipeline, await this.#embedderFor(model), asked, texts, topN, caller);
  }

  /** Whether a stored vector is what this model makes of the text. */
  async verify(
    text: string,
    stored: readonly number[] | string,
    options: { readonly model?: string | undefined } = {},
    caller: Caller = {},
  ) {
    const vector = readStoredVector(stored);
    const embedding = await this.generate(text, { model: options.model }, caller);
    return { ...compareVectors(vector, embedding.vector), embedding };
  }

  async countTokens(texts: readonly string[], model?: string): Promise<readonly TokenCount[]> {
    const checked = checkTexts(texts, { ...this.limits, securityPolicy: 'off' });
    return (await this.#embedderFor(model)).countTokens(checked);
  }

  /** Finishes what is being written. The embedder belongs to whoever made it. */
  async close(): Promise<void> {
    await this.#cache.close();
  }

  async #embedderFor(model: string | undefined): Promise<Embedder> {
    if (model === undefined || model === this.embedder.model.name) return this.embedder;
    const found = this.#options.models?.embedder(model);
    if (found) return found;
    const listed = await this.listModels();
    if ((await this.#kindOf(model)) === 'reranker') throw notAnEmbeddingModel(model);
    const available = listed.filter(({ installed, kind }) => installed && kind === 'embedding').map(({ name }) => name);
    const isKnown = listed.some(({ name, sets }) => name === model || sets.includes(model));
    throw modelNotInstalled(model, isKnown, available.length > 0 ? available : [this.embedder.model.name]);
  }

  async #kindOf(model: string): Promise<ListedModel['kind'] | undefined> {
    return (await this.listModels()).find(({ name, sets }) => name === model || sets.includes(model))?.kind;
  }
}

function defaultRateLimit(): RateLimit {
  const perMinute = DEFAULT_RATE_LIMIT_PER_MINUTE;
  return { perMinute, limiter: memoryStorage().rateLimiter({ name: 'requests', limit: perMinute }) };
}

function isEmbedder(generator: Embedder | EmbeddingGenerator): generator is Embedder {
  return typeof generator === 'object' && 'embedTexts' in generator;
}
