import type { ServiceState } from '../backends/interface.ts';
import { redact } from '../domain/redact.ts';
import { requirementsOf } from '../domain/requirements.ts';
import { bySpeed, rankModels, taskCategory, type UseCase, WANTED_TAGS } from '../domain/routing.ts';
import { isEmbedding, TAGS, type Tag, tagsOf } from '../domain/tags.ts';
import { invalidContent, invalidParameter, modelNotFound, noChatModel, serviceRefused } from '../errors.ts';
import type { ListedModel } from '../schemas.ts';
import { listed, type ModelAtHand, type ModelsAtHand, modelsOf } from './models-at-hand.ts';
import type { ServiceOptions } from './options.ts';

const MAX_ALTERNATIVES = 3;
/** Downloads, uploads and changes of models are Msty's own business. */
const CHANGES_MODELS = /^\/api\/(?:pull|push|create|copy|delete|blobs)(?:\/|$)/;

/** What the local services offer, and which of it suits a task. */
export class ServicesArea {
  readonly #options: ServiceOptions;
  readonly #models: ModelsAtHand;

  constructor(options: ServiceOptions, models: ModelsAtHand) {
    this.#options = options;
    this.#models = models;
  }

  async status(signal: AbortSignal) {
    const states = await this.#models.look(signal);
    return {
      available_count: states.filter(({ available }) => available).length,
      by_service: byService(states),
    };
  }

  async list(signal: AbortSignal) {
    const { states, isCached } = await this.#models.recent(signal);
    const models = modelsOf(states).map(listed);
    return { models, total: models.length, by_service: byService(states), cached: isCached };
  }

  /** One request to the Local AI service; its body comes back without secrets. */
  async query(endpoint: string, method: 'GET' | 'POST', requestBody: unknown, signal: AbortSignal) {
    const [path = ''] = endpoint.split('?');
    if (!/^\/[\w./-]*(?:\?[\w.=&%-]*)?$/.test(endpoint) || path.includes('..') || path.includes('//')) {
      throw invalidParameter('endpoint must be a plain path on the service', 'For example "/v1/models" or "/api/tags"');
    }
    if (CHANGES_MODELS.test(path.toLowerCase())) {
      throw invalidParameter(`${path} would change the installed models`, 'Use Msty Studio to add or remove models');
    }
    const body = typeof requestBody === 'string' ? parsedBody(requestBody) : requestBody;
    const service = await this.#models.address('local_ai');
    const answer = await this.#options.backends.services.request(
      service,
      { method, path: endpoint, ...(body !== undefined && { body: unstreamed(body) }) },
      { signal, timeoutMs: method === 'GET' ? this.#options.timeoutMs : this.#options.chatTimeoutMs },
    );
    if (answer.status < 200 || answer.status > 299) throw serviceRefused(service.name, answer.status);
    return { endpoint, method, port: service.port, status: answer.status, response: redact(answer.body) };
  }

  async tags(modelId: string | undefined, signal: AbortSignal) {
    if (modelId !== undefined) {
      const { states } = await this.#models.recent(signal);
      const known = modelsOf(states).find(({ model }) => model.id === modelId);
      const tags = known ? tagsOf(known.model) : tagsOf(modelId);
      return { available_tags: [...TAGS], models: [{ id: modelId, tags }], model_id: modelId, tags };
    }
    const { states } = await this.#models.recent(signal);
    const models = modelsOf(states).map(({ model }) => ({ id: model.id, tags: tagsOf(model) }));
    return { available_tags: [...TAGS], models };
  }

  async findByTag(tag: Tag, preferFast: boolean, excludeEmbedding: boolean, signal: AbortSignal) {
    const all = await this.#models.all(signal);
    // Who asks for embedding models wants them.
    const eligible = all.filter(({ model }) => tag === 'embedding' || !excludeEmbedding || !isEmbedding(model));
    const models = eligible.map(listed).filter(({ tags }) => tags.includes(tag));
    return {
      tag,
      models: preferFast ? models.toSorted((a, b) => bySpeed(candidate(a), candidate(b))) : models,
      count: models.length,
    };
  }

  async recommend(useCase: UseCase, maxSizeGb: number | undefined, signal: AbortSignal) {
    const chat = (await this.#models.all(signal)).filter(({ model }) => !isEmbedding(model));
    if (chat.length === 0) throw noChatModel();
    const fitting = chat.filter((at) => maxSizeGb === undefined || (neededGb(at) ?? 0) <= maxSizeGb);
    if (fitting.length === 0) throw modelNotFound(`of at most ${maxSizeGb} GB`);
    return { use_case: useCase, ...this.#ranked(fitting, WANTED_TAGS[useCase], useCase === 'fast' ? 'speed' : null) };
  }

  async route(task: string, preferred: { speed: boolean; quality: boolean }, signal: AbortSignal) {
    const chat = (await this.#models.all(signal)).filter(({ model }) => !isEmbedding(model));
    if (chat.length === 0) throw noChatModel();
    const category = taskCategory(task);
    const prefer = preferred.quality ? 'quality' : preferred.speed ? 'speed' : null;
    return { task_description: task, category, ...this.#ranked(chat, WANTED_TAGS[category], prefer) };
  }

  async cacheStats() {
    const { hits, misses, entries } = await this.#options.backends.store.cacheStats(this.#options.now());
    return { hits, misses, total_entries: entries };
  }

  async clearCache() {
    return { cleared: await this.#options.backends.store.clearCache(), ...(await this.cacheStats()) };
  }

  #ranked(models: readonly ModelAtHand[], wanted: readonly Tag[], prefer: 'speed' | 'quality' | null) {
    const [best, ...others] = rankModels(models.map(listed).map(candidate), wanted, prefer).map(
      ({ model, score, matched }) => ({
        model_id: model.id,
        service: model._service,
        score,
        tags: model.tags,
        reason: matched.length > 0 ? `Matches ${matched.join(', ')}` : 'Matches none of the wanted tags; it can chat',
      }),
    );
    if (!best) throw noChatModel();
    return { recommended: best, alternatives: others.slice(0, MAX_ALTERNATIVES) };
  }
}

export function byService(states: readonly ServiceState[]) {
  return Object.fromEntries(
    states.map(({ name, port, available, models, problem }) => [
      name,
      { port, available, model_count: models.length, problem: problem?.message ?? null },
    ]),
  );
}

function candidate(model: ListedModel) {
  return { ...model, parametersB: model.parameters_b };
}

function neededGb({ model }: ModelAtHand): number | null {
  return requirementsOf(model).modelMemoryGb;
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidContent('request_body is not JSON', 'Send a JSON object, or its text', error);
  }
}

/** The answer is given in one piece, so it is asked for in one piece. */
function unstreamed(body: unknown): unknown {
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  return isObject && 'messages' in body ? { ...body, stream: false } : body;
}
