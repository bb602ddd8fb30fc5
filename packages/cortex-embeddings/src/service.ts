import { type as platformName } from 'node:os';
import { type ClientIdentity, type Logger, silentLogger } from '@atoll-mcp/core';
import type { Cache, RateLimiter } from '@atoll-mcp/core/storage';
import { memoryStorage } from '@atoll-mcp/storage';
import type { Embedder } from './backends/interface.ts';
import type { CachedVector } from './domain/cached-vector.ts';
import type { TokenCount } from './domain/embedded-text.ts';
import type { Counters, Embedding } from './domain/embedding.ts';
import type { EmbeddingGenerator } from './domain/generator.ts';
import type { ModelReport } from './domain/model-facts.ts';
import { cutVector, dotProduct, rankingOf } from './domain/vector.ts';
import { badDimensions, cancelled, queueFull, rateLimited } from './errors.ts';
import { checkText, checkTexts, type Limits } from './service/check-texts.ts';
import { InFlightTexts } from './service/in-flight-texts.ts';
import { generatorBackend } from './service/own-generator.ts';
import { TextQueue } from './service/text-queue.ts';
import { VectorCache } from './service/vector-cache.ts';
import { WaitEstimate } from './service/wait-estimate.ts';

export interface EmbeddingServiceOptions {
  /** The model: an embedder of this package, or a generator of your own. */
  readonly generator: Embedder | EmbeddingGenerator;
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
}

const defaultLimits: Limits = {
  maxChars: 8_192,
  maxBatchSize: 256,
  maxTotalChars: 1_048_576,
  securityPolicy: 'standard',
};

const DEFAULT_RATE_LIMIT_PER_MINUTE = 120;

// Larger batches are not what somebody sits and waits for.
const MAX_INTERACTIVE_TEXTS = 8;

/** Checks texts, answers from the cache what it can and has the model do the rest once. */
export class EmbeddingService {
  readonly embedder: Embedder;
  readonly limits: Limits;
  readonly #cache: VectorCache;
  readonly #counters: Counters = { cacheHits: 0, cacheMisses: 0, rateLimited: 0 };
  readonly #options: EmbeddingServiceOptions;
  readonly #maxQueuedTexts: number;
  readonly #now: () => number;
  readonly #rateLimit: RateLimit;
  readonly #inFlight = new InFlightTexts();
  readonly #wait = new WaitEstimate();
  #waitingTexts = 0;
  #isHealthy = true;

  constructor(options: EmbeddingServiceOptions) {
    const { generator, cacheSize = 256, durableCache, log = silentLogger } = options;
    this.embedder = isEmbedder(generator) ? generator : new TextQueue(generatorBackend(generator));
    this.limits = { ...defaultLimits, ...options.limits };
    this.#cache = new VectorCache({ size: cacheSize, durable: durableCache, log });
    this.#options = options;
    this.#maxQueuedTexts = options.maxQueuedTexts ?? 8_192;
    this.#now = options.now ?? Date.now;
    this.#rateLimit = options.rateLimit ?? defaultRateLimit();
  }

  get counters(): Readonly<Counters> {
    return this.#counters;
  }

  /** What every answer says of the model. */
  get facts(): ModelReport {
    const { name, identity, maxTokens, prompts } = this.embedder.model;
    const { name: backend, loaded, notes } = this.embedder.state();
    return { name, identity, maxTokens, prompts, dimensions: this.embedder.dimensions, backend, loaded, notes };
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

  /** Whether the model did what it was last asked for. */
  get status(): 'healthy' | 'degraded' {
    return this.#isHealthy ? 'healthy' : 'degraded';
  }

  /** The system's own name for itself. */
  get platform(): string {
    return platformName();
  }

  get cacheSize(): number {
    return this.#cache.size;
  }

  async generate(text: string, options: VectorOptions = {}, caller: Caller = {}): Promise<Embedding> {
    const [embedding] = await this.#embed([checkText(text, this.limits)], options, caller);
    return embedding!;
  }

  /** One embedding per text, in the order of the texts. */
  async batch(texts: readonly string[], options: VectorOptions = {}, caller: Caller = {}): Promise<Embedding[]> {
    return this.#embed(checkTexts(texts, this.limits), options, caller);
  }

  /** How near each text is to the query: the cosine, or the plain product of vectors that are not normalized. */
  async similarity(query: string, texts: readonly string[], options: VectorOptions = {}, caller: Caller = {}) {
    const { prompts } = this.embedder.model;
    const asked = prompts.query + checkText(query, this.limits, 'The query');
    const passages = checkTexts(texts, this.limits).map((text) => prompts.passage + text);
    const { normalize, dimensions } = options;
    const [first, ...embeddings] = await this.#embed([asked, ...passages], { normalize, dimensions }, caller);
    const scores = embeddings.map(({ vector }) => dotProduct(first!.vector, vector));
    return { scores, ranking: rankingOf(scores), embeddings };
  }

  async countTokens(texts: readonly string[]): Promise<readonly TokenCount[]> {
    return this.embedder.countTokens(checkTexts(texts, { ...this.limits, securityPolicy: 'off' }));
  }

  /** Finishes what is being written. The embedder belongs to whoever made it. */
  async close(): Promise<void> {
    await this.#cache.close();
  }

  async #embed(texts: readonly string[], options: VectorOptions, caller: Caller): Promise<Embedding[]> {
    const { normalize = true, dimensions, inputType } = options;
    const prompt = inputType ? this.embedder.model.prompts[inputType] : '';
    const wanted = prompt ? texts.map((text) => prompt + text) : texts;
    const full = this.embedder.dimensions;
    if (dimensions !== undefined && full > 0 && dimensions > full) throw badDimensions(dimensions, full);

    const distinct = [...new Set(wanted)];
    const entries = await this.#cache.getMany(distinct, this.embedder, normalize);
    const known = new Map<string, CachedVector>();
    for (const [index, entry] of entries.entries()) if (entry) known.set(distinct[index]!, entry);
    const hits = new Set(known.keys());
    const missing = distinct.filter((text) => !hits.has(text));
    const keys = missing.map((text) => `${normalize}:${text}`);
    const own = await this.#inFlight.claim(keys, (count) => this.#admit(count, caller));
    const isOwn = new Set(own);
    for (const [index, text] of missing.entries()) if (!isOwn.has(keys[index]!)) hits.add(text);
    this.#counters.cacheMisses += own.length;
    this.#counters.cacheHits += hits.size;
    try {
      const computed = await this.#compute(missing, normalize, distinct.length - missing.length, caller);
      for (const [text, entry] of computed) known.set(text, entry);
    } finally {
      this.#inFlight.release(own);
    }

    return wanted.map((text) => {
      const { vector, tokens, truncated, generatedAtMs } = known.get(text)!;
      return {
        vector: cutVector(vector, dimensions ?? vector.length, normalize),
        cached: hits.has(text),
        tokens,
        truncated,
        generatedAt: new Date(generatedAtMs),
      };
    });
  }

  /** Lets work in, or says when to come back. What is refused leaves no trace but its count. */
  async #admit(texts: number, { client }: Caller): Promise<void> {
    const waiting = this.#waitingTexts;
    if (waiting > 0 && waiting + texts > this.#maxQueuedTexts) {
      this.#counters.rateLimited++;
      throw queueFull(waiting, this.#maxQueuedTexts, this.#wait.millisecondsFor(waiting));
    }
    const { perMinute, limiter } = this.#rateLimit;
    if (perMinute === 0) return;
    const { allowed, retryAfterMs } = await limiter.take(client?.id ?? 'local');
    if (allowed) return;
    this.#counters.rateLimited++;
    throw rateLimited(perMinute, retryAfterMs);
  }

  async #compute(
    texts: readonly string[],
    normalize: boolean,
    known: number,
    { signal, progress }: Caller,
  ): Promise<(readonly [string, CachedVector])[]> {
    if (texts.length === 0) return [];
    const total = known + texts.length;
    const priority = total > MAX_INTERACTIVE_TEXTS ? 'bulk' : 'interactive';
    const onProgress = progress && everyTwentieth((done) => progress({ progress: known + done, total }));
    const startedMs = this.#now();
    const options = { normalize, priority, signal, onProgress } as const;
    this.#waitingTexts += texts.length;
    const embedded = await this.embedder
      .embedTexts(texts, options)
      .catch((error: unknown) => {
        if (signal?.aborted) throw cancelled(error);
        this.#isHealthy = false;
        throw error;
      })
      .finally(() => {
        this.#waitingTexts -= texts.length;
      });
    this.#isHealthy = true;
    const generatedAtMs = this.#now();
    this.#wait.learn(texts.length, generatedAtMs - startedMs);
    const fresh = embedded.map((each, index) => [texts[index]!, { ...each, generatedAtMs }] as const);
    this.#cache.setMany(fresh, this.embedder.identity, normalize);
    return fresh;
  }
}

function defaultRateLimit(): RateLimit {
  const perMinute = DEFAULT_RATE_LIMIT_PER_MINUTE;
  return { perMinute, limiter: memoryStorage().rateLimiter({ name: 'requests', limit: perMinute }) };
}

function isEmbedder(generator: Embedder | EmbeddingGenerator): generator is Embedder {
  return typeof generator === 'object' && 'embedTexts' in generator;
}

/** Lets about twenty reports through, the last one always. */
function everyTwentieth(report: (done: number) => void): (done: number, total: number) => void {
  let reported = 0;
  return (done, total) => {
    if (done < total && (done - reported) * 20 < total) return;
    reported = done;
    report(done);
  };
}
