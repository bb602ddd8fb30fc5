import type { ServiceAddress, ServiceState } from '../backends/interface.ts';
import { gigabytes } from '../domain/models/gigabytes.ts';
import { factsOf, type ServiceModel } from '../domain/models/model-facts.ts';
import { DEFAULT_PORTS, SERVICE_NAMES, type ServiceName } from '../domain/models/services.ts';
import { isEmbedding, type Tag, tagsOf } from '../domain/models/tags.ts';
import { embeddingCannotChat, modelNotFound, noChatModel, noServices, serviceProblem } from '../errors.ts';
import type { ServiceOptions } from './options.ts';

const CACHE_SECONDS = 30;

export interface AvailableModel {
  readonly service: ServiceAddress;
  readonly model: ServiceModel;
}

/** What is known of a model; null is what neither its service nor its name tells. */
export interface ModelSummary {
  readonly id: string;
  readonly service: ServiceName;
  readonly port: number;
  readonly tags: Tag[];
  readonly contextLength: number | null;
  readonly parametersB: number | null;
  readonly quantisation: string | null;
  readonly sizeGb: number | null;
  readonly loaded: boolean | null;
}

/** The models that the local services offer at the moment. */
export class AvailableModels {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Asks every service in parallel, so that all of them together take one timeout at most. */
  async look(signal: AbortSignal): Promise<ServiceState[]> {
    const { backends, timeoutMs } = this.#options;
    const addresses = await this.#addresses();
    return Promise.all(addresses.map((service) => backends.services.look(service, { signal, timeoutMs })));
  }

  /** The same, from the cache if it is fresh. Cached only when some service answered. */
  async recent(signal: AbortSignal): Promise<{ states: ServiceState[]; isCached: boolean }> {
    const { backends, now } = this.#options;
    const key = await this.#cacheKey();
    // Only this class writes under this key.
    const cached = (await backends.store.cached(key, now())) as ServiceState[] | undefined;
    if (cached) return { states: cached, isCached: true };
    return { states: await this.#fresh(signal, key), isCached: false };
  }

  /** All models of the running services; throws the most specific reason when none is running. */
  async all(signal: AbortSignal): Promise<AvailableModel[]> {
    const { states } = await this.recent(signal);
    return modelsIn(states);
  }

  /** A model by its id, from any service. */
  async find(id: string, signal: AbortSignal, service?: ServiceName): Promise<AvailableModel> {
    const { states, isCached } = await this.recent(signal);
    const on = (models: AvailableModel[]) => models.filter((one) => !service || one.service.name === service);
    const match = byId(on(modelsIn(states)), id);
    if (match) return match;
    // It may have been loaded since.
    const again = isCached ? byId(on(modelsIn(await this.refresh(signal))), id) : undefined;
    if (!again) throw modelNotFound(id);
    return again;
  }

  /** The model to chat with: the requested one, or the first that can chat. */
  async forChat(id: string | undefined, signal: AbortSignal): Promise<AvailableModel> {
    if (id !== undefined) {
      const requested = await this.find(id, signal);
      if (isEmbedding(requested.model)) throw embeddingCannotChat(id);
      return requested;
    }
    const first = (await this.all(signal)).find(({ model }) => !isEmbedding(model));
    if (!first) throw noChatModel();
    return first;
  }

  async address(name: ServiceAddress['name']): Promise<ServiceAddress> {
    const found = (await this.#addresses()).find((service) => service.name === name);
    return found ?? { name, port: DEFAULT_PORTS[name] };
  }

  /** Asks again and replaces what is cached, for callers that changed something. */
  async refresh(signal: AbortSignal): Promise<ServiceState[]> {
    return this.#fresh(signal, await this.#cacheKey());
  }

  async #fresh(signal: AbortSignal, key: string): Promise<ServiceState[]> {
    const { backends, now } = this.#options;
    const states = await this.look(signal);
    if (states.some(({ available }) => available)) {
      await backends.store.cache(key, states, new Date(now().getTime() + CACHE_SECONDS * 1000));
    }
    return states;
  }

  /** Configured ports, else those of Msty's settings, else the defaults. No port is queried twice. */
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

export function summaryOf({ service, model }: AvailableModel): ModelSummary {
  const facts = factsOf(model);
  return {
    id: model.id,
    service: service.name,
    port: service.port,
    tags: tagsOf(model),
    contextLength: facts.contextLength,
    parametersB: facts.parametersB,
    quantisation: facts.quantisation?.label ?? null,
    sizeGb: gigabytes(model.sizeBytes),
    loaded: model.loaded,
  };
}

export function modelsOf(states: readonly ServiceState[]): AvailableModel[] {
  return states.flatMap(({ name, port, models }) => models.map((model) => ({ service: { name, port }, model })));
}

function modelsIn(states: readonly ServiceState[]): AvailableModel[] {
  if (states.some(({ available }) => available)) return modelsOf(states);
  const specific = states.find(({ problem }) => problem && problem.code !== 'SERVICE_UNAVAILABLE');
  throw specific?.problem ? serviceProblem(specific.problem) : noServices();
}

function byId(models: readonly AvailableModel[], id: string): AvailableModel | undefined {
  return models.find(({ model }) => model.id === id) ?? models.find(({ model }) => model.id === `${id}:latest`);
}
