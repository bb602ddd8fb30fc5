import type { ServiceState } from '../backends/interface.ts';
import { requirementsOf } from '../domain/models/requirements.ts';
import { bySpeed, rankModels, taskCategory, type UseCase, WANTED_TAGS } from '../domain/models/routing.ts';
import { isEmbedding, TAGS, type Tag, tagsOf } from '../domain/models/tags.ts';
import { noChatModel, noFittingModel } from '../errors.ts';
import { type AvailableModel, type AvailableModels, modelsOf, summaryOf } from './available-models.ts';
import type { ServiceOptions } from './options.ts';
import { sendQuery } from './service-query.ts';

const MAX_ALTERNATIVES = 3;

/** What the local services offer, and which of it suits a task. */
export class ServicesArea {
  readonly #options: ServiceOptions;
  readonly #models: AvailableModels;

  constructor(options: ServiceOptions, models: AvailableModels) {
    this.#options = options;
    this.#models = models;
  }

  async status(signal: AbortSignal) {
    const states = await this.#models.look(signal);
    return {
      availableCount: states.filter(({ available }) => available).length,
      byService: byService(states),
    };
  }

  async list(signal: AbortSignal) {
    const { states, isCached } = await this.#models.recent(signal);
    const models = modelsOf(states).map(summaryOf);
    return { models, total: models.length, byService: byService(states), cached: isCached };
  }

  /** One request to the Local AI service. */
  async query(endpoint: string, method: 'GET' | 'POST', body: unknown, signal: AbortSignal) {
    const service = await this.#models.address('local_ai');
    const query = { path: endpoint, method, body, pathName: 'endpoint', bodyName: 'request_body' };
    const { status, response } = await sendQuery(this.#options, service, query, signal);
    return { endpoint, method, port: service.port, status, response };
  }

  async tags(modelId: string | undefined, signal: AbortSignal) {
    if (modelId !== undefined) {
      const { states } = await this.#models.recent(signal);
      const known = modelsOf(states).find(({ model }) => model.id === modelId);
      const tags = known ? tagsOf(known.model) : tagsOf(modelId);
      return { availableTags: [...TAGS], models: [{ id: modelId, tags }], modelId, tags };
    }
    const { states } = await this.#models.recent(signal);
    const models = modelsOf(states).map(({ model }) => ({ id: model.id, tags: tagsOf(model) }));
    return { availableTags: [...TAGS], models };
  }

  /** Embedding models are left out by default, but for a search for them. */
  async findByTag(
    request: { tag: Tag; preferFast: boolean; excludeEmbedding: boolean | undefined },
    signal: AbortSignal,
  ) {
    const { tag, preferFast, excludeEmbedding = tag !== 'embedding' } = request;
    const tagged = (await this.#models.all(signal)).filter(({ model }) => tagsOf(model).includes(tag));
    const eligible = tagged.filter(({ model }) => !excludeEmbedding || !isEmbedding(model));
    const models = eligible.map(summaryOf);
    return {
      tag,
      models: preferFast ? models.toSorted(bySpeed) : models,
      count: models.length,
      embeddingExcluded: tagged.length - eligible.length,
    };
  }

  async recommend(useCase: UseCase, maxSizeGb: number | undefined, signal: AbortSignal) {
    const chat = (await this.#models.all(signal)).filter(({ model }) => !isEmbedding(model));
    if (chat.length === 0) throw noChatModel();
    const fitting = chat.filter((one) => maxSizeGb === undefined || (neededGb(one) ?? Infinity) <= maxSizeGb);
    if (fitting.length === 0) {
      throw noFittingModel(maxSizeGb ?? 0, chat.filter((one) => neededGb(one) === null).length);
    }
    return { useCase, ...this.#ranked(fitting, WANTED_TAGS[useCase], useCase === 'fast' ? 'speed' : null) };
  }

  async route(task: string, preferred: { speed: boolean; quality: boolean }, signal: AbortSignal) {
    const chat = (await this.#models.all(signal)).filter(({ model }) => !isEmbedding(model));
    if (chat.length === 0) throw noChatModel();
    const category = taskCategory(task);
    const prefer = preferred.quality ? 'quality' : preferred.speed ? 'speed' : null;
    return { taskDescription: task, category, ...this.#ranked(chat, WANTED_TAGS[category], prefer) };
  }

  async cacheStats() {
    const { hits, misses, entries } = await this.#options.backends.store.cacheStats(this.#options.now());
    return { hits, misses, totalEntries: entries };
  }

  async clearCache() {
    return { cleared: await this.#options.backends.store.clearCache(), ...(await this.cacheStats()) };
  }

  #ranked(models: readonly AvailableModel[], wanted: readonly Tag[], prefer: 'speed' | 'quality' | null) {
    const [best, ...others] = rankModels(models.map(summaryOf), wanted, prefer).map(({ model, score, matched }) => ({
      modelId: model.id,
      service: model.service,
      score,
      tags: model.tags,
      reason: matched.length > 0 ? `Matches ${matched.join(', ')}` : 'Matches none of the wanted tags; it can chat',
    }));
    if (!best) throw noChatModel();
    return { recommended: best, alternatives: others.slice(0, MAX_ALTERNATIVES) };
  }
}

export function byService(states: readonly ServiceState[]) {
  return Object.fromEntries(
    states.map(({ name, port, available, models, problem }) => [
      name,
      { port, available, modelCount: models.length, problem: problem?.message ?? null },
    ]),
  );
}

function neededGb({ model }: AvailableModel): number | null {
  return requirementsOf(model).modelMemoryGb;
}
