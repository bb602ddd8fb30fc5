import type { LifecycleProtocol, ServiceName } from './services.ts';

export interface LoadedModel {
  readonly id: string;
  readonly service: ServiceName;
  readonly port: number;
  /** Null when the service does not say. */
  readonly memoryBytes: number | null;
  /** The part of it in the memory of a graphics card, where the service says. */
  readonly vramBytes: number | null;
  /** When the service unloads it by itself; null when never, or when it does not say. */
  readonly expiresAt: string | null;
}

export interface LoadRequest {
  readonly service: ServiceName;
  readonly port: number;
  readonly protocol: LifecycleProtocol;
  /** Null when the size of the model is not known. */
  readonly neededBytes: number | null;
  readonly availableBytes: number;
  readonly loaded: readonly LoadedModel[];
}

interface LoadPlan {
  /** Whether the model fits beside what stays; null when that cannot be told. */
  readonly fits: boolean | null;
  readonly stays: readonly LoadedModel[];
  /** Models that the service unloads by itself to load this one. */
  readonly evicted: readonly { readonly model: LoadedModel; readonly reason: string }[];
  /** The models to unload so that it fits; empty when it fits, or not even then. */
  readonly unloadFirst: readonly LoadedModel[];
}

const SWAPPED = 'llama-swap stops its other models, unless its groups let them run side by side';
const MADE_ROOM = 'Ollama unloads idle models when memory is short, the one that expires first before the others';

/** What happens to the loaded models when another is loaded. The models in memory are already part of what is not available. */
export function planLoad(request: LoadRequest): LoadPlan {
  const { loaded, neededBytes, availableBytes } = request;
  const own = loaded.filter(({ service, port }) => service === request.service && port === request.port);
  const evicted = request.protocol === 'llama_swap' ? own.map((model) => ({ model, reason: SWAPPED })) : [];
  let missing = (neededBytes ?? 0) - availableBytes - sum(evicted.map(({ model }) => model));
  if (request.protocol === 'ollama') {
    for (const model of own.toSorted(byExpiry)) {
      if (missing <= 0) break;
      evicted.push({ model, reason: MADE_ROOM });
      missing -= model.memoryBytes ?? 0;
    }
  }
  const stays = loaded.filter((model) => !evicted.some((one) => one.model === model));
  const unloadFirst = missing > 0 ? fewestThatFree(missing, stays) : [];
  return { fits: fits(request, missing), stays, evicted, unloadFirst };
}

function fits({ neededBytes, loaded }: LoadRequest, missing: number): boolean | null {
  if (neededBytes === null) return null;
  if (missing <= 0) return true;
  // What is missing in system memory may be free on the graphics card, whose size is not known.
  return loaded.some(({ vramBytes }) => (vramBytes ?? 0) > 0) ? null : false;
}

/** The largest first, until there is enough; none when all of them are not enough. */
function fewestThatFree(bytes: number, models: readonly LoadedModel[]): LoadedModel[] {
  const chosen: LoadedModel[] = [];
  for (const model of models.toSorted((a, b) => (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0))) {
    if (sum(chosen) >= bytes) break;
    if (model.memoryBytes) chosen.push(model);
  }
  return sum(chosen) >= bytes ? chosen : [];
}

function byExpiry(a: LoadedModel, b: LoadedModel): number {
  if (a.expiresAt === b.expiresAt) return 0;
  if (a.expiresAt === null) return 1;
  return b.expiresAt === null ? -1 : a.expiresAt.localeCompare(b.expiresAt);
}

function sum(models: readonly LoadedModel[]): number {
  return models.reduce((total, { memoryBytes }) => total + (memoryBytes ?? 0), 0);
}
