import type { Embedder } from '../backends/interface.ts';
import type { CachedVector } from '../domain/cached-vector.ts';
import type { Counters, Embedding } from '../domain/embedding.ts';
import type { ModelReport } from '../domain/models/model-facts.ts';
import { cutVector } from '../domain/vector.ts';
import { badDimensions, cancelled, queueFull, rateLimited } from '../errors.ts';
import type { Caller, RateLimit, VectorOptions } from '../service.ts';
import { InFlightTexts } from './in-flight-texts.ts';
import type { VectorCache } from './vector-cache.ts';
import { WaitEstimate } from './wait-estimate.ts';

interface PipelineOptions {
  readonly cache: VectorCache;
  readonly rateLimit: RateLimit;
  readonly maxQueuedTexts: number;
  readonly now: () => number;
}

// Larger batches do not count as interactive.
const MAX_INTERACTIVE_TEXTS = 8;

/** From checked texts to embeddings: what the cache has, what another call is computing, and the rest by the model. */
export class EmbeddingPipeline {
  readonly counters: Counters = { cacheHits: 0, cacheMisses: 0, rateLimited: 0 };
  readonly #options: PipelineOptions;
  readonly #inFlight = new InFlightTexts();
  readonly #wait = new WaitEstimate();
  #waitingTexts = 0;
  #isHealthy = true;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /** Whether the last run of the model succeeded. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  async embed(
    embedder: Embedder,
    texts: readonly string[],
    options: VectorOptions,
    caller: Caller,
  ): Promise<Embedding[]> {
    const { normalize = true, dimensions, inputType } = options;
    const prompt = inputType ? embedder.model.prompts[inputType] : '';
    const wanted = prompt ? texts.map((text) => prompt + text) : texts;
    const full = embedder.dimensions;
    if (dimensions !== undefined && full > 0 && dimensions > full) throw badDimensions(dimensions, full);

    const distinct = [...new Set(wanted)];
    const entries = await this.#options.cache.getMany(distinct, embedder, normalize);
    const known = new Map<string, CachedVector>();
    for (const [index, entry] of entries.entries()) if (entry) known.set(distinct[index]!, entry);
    const hits = new Set(known.keys());
    const missing = distinct.filter((text) => !hits.has(text));
    if (missing.length === 0) this.counters.cacheHits += hits.size;
    else for (const text of await this.#addMissing(known, missing, embedder, normalize, caller)) hits.add(text);

    const model = modelReport(embedder);
    return wanted.map((text) => {
      const { vector, tokens, truncated, generatedAtMs } = known.get(text)!;
      return {
        vector: cutVector(vector, dimensions ?? vector.length, normalize),
        model,
        cached: hits.has(text),
        tokens,
        truncated,
        generatedAt: new Date(generatedAtMs),
      };
    });
  }

  /** Adds what the cache does not have to what is known; returns the texts that another call has computed. */
  async #addMissing(
    known: Map<string, CachedVector>,
    missing: readonly string[],
    embedder: Embedder,
    normalize: boolean,
    caller: Caller,
  ): Promise<string[]> {
    const keys = missing.map((text) => `${embedder.identity}\n${normalize}\n${text}`);
    const own = await this.#inFlight.claim(keys, (count) => this.#admit(count, caller));
    const isOwn = new Set(own);
    const shared = missing.filter((_, index) => !isOwn.has(keys[index]!));
    this.counters.cacheMisses += own.length;
    this.counters.cacheHits += known.size + shared.length;
    try {
      const computed = await this.#compute(embedder, missing, normalize, known.size, caller);
      for (const [text, entry] of computed) known.set(text, entry);
    } finally {
      this.#inFlight.release(own);
    }
    return shared;
  }

  /** Admits work, or says when to try again. Rejected work is only counted. */
  async #admit(texts: number, { client }: Caller): Promise<void> {
    const { rateLimit, maxQueuedTexts } = this.#options;
    const waiting = this.#waitingTexts;
    if (waiting > 0 && waiting + texts > maxQueuedTexts) {
      this.counters.rateLimited++;
      throw queueFull(waiting, maxQueuedTexts, this.#wait.millisecondsFor(waiting));
    }
    const { perMinute, limiter } = rateLimit;
    if (perMinute === 0) return;
    const { allowed, retryAfterMs } = await limiter.take(client?.id ?? 'local');
    if (allowed) return;
    this.counters.rateLimited++;
    throw rateLimited(perMinute, retryAfterMs);
  }

  async #compute(
    embedder: Embedder,
    texts: readonly string[],
    normalize: boolean,
    known: number,
    { signal, progress }: Caller,
  ): Promise<(readonly [string, CachedVector])[]> {
    const { now, cache } = this.#options;
    const total = known + texts.length;
    const priority = total > MAX_INTERACTIVE_TEXTS ? 'bulk' : 'interactive';
    const onProgress = progress && everyTwentieth((done) => progress({ progress: known + done, total }));
    const startedMs = now();
    this.#waitingTexts += texts.length;
    const embedded = await embedder
      .embedTexts(texts, { normalize, priority, signal, onProgress })
      .catch((error: unknown) => {
        if (signal?.aborted) throw cancelled(error);
        this.#isHealthy = false;
        throw error;
      })
      .finally(() => {
        this.#waitingTexts -= texts.length;
      });
    this.#isHealthy = true;
    const generatedAtMs = now();
    this.#wait.learn(texts.length, generatedAtMs - startedMs);
    const fresh = embedded.map((each, index) => [texts[index]!, { ...each, generatedAtMs }] as const);
    cache.setMany(fresh, embedder.identity, normalize);
    return fresh;
  }
}

/** What every answer says of the model. */
export function modelReport(embedder: Embedder): ModelReport {
  const { name, identity, maxTokens, prompts } = embedder.model;
  const { name: backend, loaded, notes } = embedder.state();
  return { name, identity, maxTokens, prompts, dimensions: embedder.dimensions, backend, loaded, notes };
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
