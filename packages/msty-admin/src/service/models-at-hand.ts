import type { ServiceAddress, ServiceState } from '../backends/interface.ts';
import { factsOf, type ServiceModel } from '../domain/model-facts.ts';
import { DEFAULT_PORTS, SERVICE_NAMES } from '../domain/services.ts';
import { isEmbedding, tagsOf } from '../domain/tags.ts';
import { embeddingCannotChat, modelNotFound, noChatModel, noServices, serviceProblem } from '../errors.ts';
import type { ListedModel } from '../schemas.ts';
import type { ServiceOptions } from './options.ts';

const GB = 1024 ** 3;
const CACHE_SECONDS = 30;

export interface ModelAtHand {
  readonly service: ServiceAddress;
  readonly model: ServiceModel;
}

/** The models that the local services offer at the moment. */
export class ModelsAtHand {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Every service, asked side by side, so that all of them together take one time-out at most. */
  async look(signal: AbortSignal): Promise<ServiceState[]> {
    const { backends, timeoutMs } = this.#options;
    const addresses = await this.#addresses();
    return Promise.all(addresses.map((service) => backends.services.look(service, { signal, timeoutMs })));
  }

  /** The same, from the cache if it was asked a moment ago. Remembered only when some service answered. */
  async recent(signal: AbortSignal): Promise<{ states: ServiceState[]; isCached: boolean }> {
    const { backends, now } = this.#options;
    const key = await this.#cacheKey();
    // Only this class writes under this key.
    const cached = (await backends.store.cached(key, now())) as ServiceState[] | undefined;
    if (cached) return { states: cached, isCached: true };
    return { states: await this.#fresh(signal, key), isCached: false };
  }

  /** All models of the services that run; fails when none does, with the most telling reason. */
  async all(signal: AbortSignal): Promise<ModelAtHand[]> {
    const { states } = await this.recent(signal);
    return modelsIn(states);
  }

  /** A model by its id, wherever it runs. */
  async find(id: string, signal: AbortSignal): Promise<ModelAtHand> {
    const { states, isCached } = await this.recent(signal);
    const match = byId(modelsIn(states), id);
    if (match) return match;
    // It may have been loaded since.
    const again = isCached ? byId(modelsIn(await this.#fresh(signal, await this.#cacheKey())), id) : undefined;
    if (!again) throw modelNotFound(id);
    return again;
  }

  /** The model to chat with: the one asked for, or the first that can. */
  async forChat(id: string | undefined, signal: AbortSignal): Promise<ModelAtHand> {
    if (id !== undefined) {
      const asked = await this.find(id, signal);
      if (isEmbedding(asked.model)) throw embeddingCannotChat(id);
      return asked;
    }
    const first = (await this.all(signal)).find(({ model }) => !isEmbedding(model));
    if (!first) throw noChatModel();
    return first;
  }

  async address(name: ServiceAddress['name']): Promise<ServiceAddress> {
    const found = (await this.#addresses()).find((service) => service.name === name);
    return found ?? { name, port: DEFAULT_PORTS[name] };
  }

  async #fresh(signal: AbortSignal, key: string): Promise<ServiceState[]> {
    const { backends, now } = this.#options;
    const states = await this.look(signal);
    if (states.some(({ available }) => available)) {
      await backends.store.cache(key, states, new Date(now().getTime() + CACHE_SECONDS * 1000));
    }
    return states;
  }

  /** Ports that were set on purpose, else Msty's own settings, else the usual ones. No port is asked twice. */
  async #addresses(): Promise<ServiceAddress[]> {
    const configured = await this.#options.backends.installation.configuredPorts();
    const taken = new Set<number>();
    return SERVICE_NAMES.flatMap((name) => {
      const port = this.#options.ports[name] ?? configured[name] ?? DEFAULT_PORTS[name];
      if (taken.has(port)) return [];
      taken.add(port);
      return [{ name, port }];
    });
  }

  async #cacheKey(): Promise<string> {
    const addresses = await this.#addresses();
    return `models:${addresses.map(({ name, port }) => `${name}=${port}`).join(',')}`;
  }
}

export function listed({ service, model }: ModelAtHand): ListedModel {
  const facts = factsOf(model);
  return {
    id: model.id,
    _service: service.name,
    _port: service.port,
    tags: tagsOf(model),
    context_length: facts.contextLength,
    parameters_b: facts.parametersB,
    quantisation: facts.quantisation?.label ?? null,
    size_gb: model.sizeBytes === null ? null : Math.round((model.sizeBytes / GB) * 100) / 100,
    loaded: model.loaded,
  };
}

export function modelsOf(states: readonly ServiceState[]): ModelAtHand[] {
  return states.flatMap(({ name, port, models }) => models.map((model) => ({ service: { name, port }, model })));
}

function modelsIn(states: readonly ServiceState[]): ModelAtHand[] {
  if (states.some(({ available }) => available)) return modelsOf(states);
  const telling = states.find(({ problem }) => problem && problem.code !== 'SERVICE_UNAVAILABLE');
  throw telling?.problem ? serviceProblem(telling.problem) : noServices();
}

function byId(models: readonly ModelAtHand[], id: string): ModelAtHand | undefined {
  return models.find(({ model }) => model.id === id) ?? models.find(({ model }) => model.id === `${id}:latest`);
}
