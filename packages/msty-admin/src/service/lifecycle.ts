import { type Confirmation, ToolError } from '@atoll-mcp/core';
import type { LifecycleDriver, LoadedEntry, ServiceAddress } from '../backends/interface.ts';
import { gigabytes } from '../domain/models/gigabytes.ts';
import { type LoadedModel, planLoad } from '../domain/models/load-plan.ts';
import { requirementsOf } from '../domain/models/requirements.ts';
import type { ServiceName } from '../domain/models/services.ts';
import {
  confirmationUnavailable,
  modelTooLarge,
  noManagedService,
  notConfirmed,
  notLoaded,
  notSupported,
  wouldEvict,
} from '../errors.ts';
import type { AvailableModel, AvailableModels } from './available-models.ts';
import type { Call, ServiceOptions } from './options.ts';

const GB = 1024 ** 3;

interface ManagedService {
  readonly service: ServiceAddress;
  readonly driver: LifecycleDriver;
  readonly loaded: readonly LoadedEntry[];
}

interface Target {
  readonly modelId: string;
  readonly service: ServiceName | undefined;
}

/** Loads, unloads, downloads and deletes models, in the same way on Ollama, LM Studio and llama-swap. */
export class LifecycleArea {
  readonly #options: ServiceOptions;
  readonly #models: AvailableModels;

  constructor(options: ServiceOptions, models: AvailableModels) {
    this.#options = options;
    this.#models = models;
  }

  async loaded(signal: AbortSignal) {
    const managed = await this.#managed(signal);
    if (managed.length === 0) throw noManagedService();
    const models = managed.flatMap(loadedModels).map(shown);
    const services = managed.map(({ service, driver }) => ({ ...service, protocol: driver.protocol }));
    return { models, count: models.length, services };
  }

  async plan(target: Target, signal: AbortSignal) {
    return this.#planFor(await this.#find(target, signal), signal);
  }

  async load(
    request: Target & {
      keepAliveMinutes: number | undefined;
      contextLength: number | undefined;
      allowEviction: boolean;
    },
    { signal, progress }: Call,
  ) {
    const found = await this.#find(request, signal);
    const { service, driver } = found.managed;
    const { keepAliveMinutes, contextLength } = request;
    if (keepAliveMinutes !== undefined && !driver.keepAlive) throw notSupported(service.name, 'a keep-alive time');
    if (contextLength !== undefined && driver.protocol === 'llama_swap') {
      throw notSupported(service.name, 'another context length');
    }
    const plan = await this.#planFor(found, signal);
    if (!plan.alreadyLoaded && plan.fits === false) throw modelTooLarge(plan);
    if (plan.evicted.length > 0 && !request.allowEviction) {
      throw wouldEvict(
        plan.modelId,
        plan.evicted.map(({ modelId }) => modelId),
      );
    }
    progress({ progress: 0, total: 1, message: `loading ${plan.modelId}` });
    if (!plan.alreadyLoaded || keepAliveMinutes !== undefined) {
      const keepAliveSeconds = keepAliveMinutes === undefined ? undefined : seconds(keepAliveMinutes);
      await driver.load(service, found.model, { keepAliveSeconds, contextLength }, this.#patient(signal));
    }
    const expiresAt = await this.#confirmLoaded(found, signal);
    progress({ progress: 1, total: 1 });
    return { modelId: plan.modelId, service: service.name, loaded: true as const, expiresAt, plan };
  }

  async unload(target: Target, signal: AbortSignal) {
    const { managed, model } = await this.#find(target, signal);
    const instanceIds = managed.loaded.flatMap(({ id, instanceId }) => (id === model.id ? [instanceId] : []));
    if (instanceIds.length === 0) throw notLoaded(model.id);
    await managed.driver.unload(managed.service, { modelId: model.id, instanceIds }, this.#patient(signal));
    await this.#models.refresh(signal);
    return { modelId: model.id, service: managed.service.name, unloaded: true as const };
  }

  async keepAlive(target: Target, minutes: number, signal: AbortSignal) {
    const found = await this.#find(target, signal);
    const { service, driver, loaded } = found.managed;
    if (!driver.keepAlive) throw notSupported(service.name, 'a keep-alive time');
    if (!loaded.some(({ id }) => id === found.model.id)) throw notLoaded(found.model.id);
    await driver.keepAlive(service, found.model, seconds(minutes), this.#patient(signal));
    return { modelId: found.model.id, service: service.name, expiresAt: await this.#confirmLoaded(found, signal) };
  }

  async pull({ modelId, service: wanted }: Target, { signal, progress }: Call) {
    const managed = (await this.#managed(signal)).filter(({ service }) => !wanted || service.name === wanted);
    const able = managed.find(({ driver }) => driver.pull);
    if (!able?.driver.pull) {
      throw managed[0] ? notSupported(managed[0].service.name, 'downloads') : noManagedService(wanted);
    }
    await able.driver.pull(able.service, modelId, progress, this.#patient(signal));
    await this.#models.refresh(signal);
    return { modelId, service: able.service.name, pulled: true as const };
  }

  /** Deletes only what the user has confirmed. */
  async remove(target: Target, confirm: (message: string) => Promise<Confirmation>, signal: AbortSignal) {
    const { managed, model } = await this.#find(target, signal);
    const { service, driver } = managed;
    if (!driver.remove) throw notSupported(service.name, 'deletion');
    const size = gigabytes(model.sizeBytes);
    const answer = await confirm(
      `Delete the model "${model.id}"${size === null ? '' : ` (${size} GB)`} from ${service.name}? It would have to be downloaded again.`,
    );
    if (answer === 'unavailable') throw confirmationUnavailable(model.id);
    if (answer === 'declined') throw notConfirmed(model.id);
    await driver.remove(service, model.id, this.#patient(signal));
    await this.#models.refresh(signal);
    return { modelId: model.id, service: service.name, deleted: true as const };
  }

  async #planFor({ managed, model }: Found, signal: AbortSignal) {
    const { service, driver } = managed;
    const [{ memoryAvailableBytes }, all] = await Promise.all([
      this.#options.backends.system.resources(),
      this.#managed(signal),
    ]);
    const loaded = all.flatMap(loadedModels);
    const alreadyLoaded = managed.loaded.some(({ id }) => id === model.id);
    const neededGb = requirementsOf(model).recommendedVramGb;
    const plan = alreadyLoaded
      ? { fits: true, stays: loaded, evicted: [], unloadFirst: [] }
      : planLoad({
          service: service.name,
          port: service.port,
          protocol: driver.protocol,
          neededBytes: neededGb === null ? null : neededGb * GB,
          availableBytes: memoryAvailableBytes,
          loaded,
        });
    return {
      modelId: model.id,
      service: service.name,
      alreadyLoaded,
      neededGb,
      availableGb: gigabytes(memoryAvailableBytes) ?? 0,
      fits: plan.fits,
      stays: plan.stays.map(shown),
      evicted: plan.evicted.map(({ model: one, reason }) => ({ ...shown(one), reason })),
      unloadFirst: plan.unloadFirst.map(shown),
    };
  }

  /** When the model expires, as the service tells after the work; throws when it does not have the model in memory. */
  async #confirmLoaded({ managed, model }: Found, signal: AbortSignal): Promise<string | null> {
    const { timeoutMs } = this.#options;
    const now = await managed.driver.loaded(managed.service, { signal, timeoutMs });
    const entry = now?.find(({ id }) => id === model.id);
    if (!entry) throw notLoaded(model.id);
    await this.#models.refresh(signal);
    return entry.expiresAt;
  }

  async #find({ modelId, service }: Target, signal: AbortSignal): Promise<Found> {
    const found: AvailableModel = await this.#models.find(modelId, signal, service);
    const managed = (await this.#managed(signal)).find((one) => one.service.name === found.service.name);
    if (!managed) throw notSupported(found.service.name, 'the management of models');
    const { backends, timeoutMs } = this.#options;
    return { managed, model: await backends.services.inspect(found.service, found.model, { signal, timeoutMs }) };
  }

  /** The services that run and speak a protocol through which models are managed. */
  async #managed(signal: AbortSignal): Promise<ManagedService[]> {
    const states = await this.#models.look(signal);
    const running = states.filter(({ available }) => available);
    const managed = await Promise.all(running.map(({ name, port }) => this.#manage({ name, port }, signal)));
    return managed.flatMap((one) => one ?? []);
  }

  async #manage(service: ServiceAddress, signal: AbortSignal): Promise<ManagedService | null> {
    const { backends, timeoutMs } = this.#options;
    for (const driver of backends.lifecycle.filter(({ services }) => services.includes(service.name))) {
      const loaded = await driver.loaded(service, { signal, timeoutMs }).catch((error: unknown) => {
        if (error instanceof ToolError && !signal.aborted) return null;
        throw error;
      });
      if (loaded) return { service, driver, loaded };
    }
    return null;
  }

  /** Loading a large model takes as long as a chat may. */
  #patient(signal: AbortSignal) {
    return { signal, timeoutMs: this.#options.chatTimeoutMs };
  }
}

interface Found {
  readonly managed: ManagedService;
  readonly model: AvailableModel['model'];
}

/** Minutes as the services take them: a negative number means forever. */
function seconds(minutes: number): number {
  return minutes < 0 ? -1 : Math.round(minutes * 60);
}

function loadedModels({ service, loaded }: ManagedService): LoadedModel[] {
  return loaded.map(({ id, memoryBytes, vramBytes, expiresAt }) => ({
    id,
    service: service.name,
    port: service.port,
    memoryBytes,
    vramBytes,
    expiresAt,
  }));
}

function shown({ id, service, memoryBytes, expiresAt }: LoadedModel) {
  return { modelId: id, service, memoryGb: gigabytes(memoryBytes), expiresAt };
}
