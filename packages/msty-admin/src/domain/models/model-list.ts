import { isObject, type Json } from '@atoll-mcp/core';
import { type ServiceModel, unknownModel } from './model-facts.ts';

const MAX_MODELS = 2048;
const MAX_ID_LENGTH = 1000;

/** A list of models in the OpenAI form, the Ollama form or LM Studio's own; undefined when it is none of them. */
export function readModelList(body: unknown): ServiceModel[] | undefined {
  const entries = listIn(body);
  if (!entries) return undefined;
  const seen = new Set<string>();
  return entries
    .filter(isObject)
    .flatMap((entry) => {
      const id = entry.id ?? entry.model ?? entry.name;
      if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH || seen.has(id)) return [];
      seen.add(id);
      return [modelFrom(id, entry)];
    })
    .slice(0, MAX_MODELS);
}

/** What several lists of one service say of the same models; the first list decides which there are. */
export function mergeModels(models: readonly ServiceModel[], further: readonly ServiceModel[]): ServiceModel[] {
  const byId = new Map(further.map((model) => [bareId(model.id), model]));
  return models.map((model) => {
    const more = byId.get(bareId(model.id));
    return more ? { ...more, ...withoutNulls(model) } : model;
  });
}

/** The context length in what Ollama's `/api/show` or llama.cpp's `/props` answers. */
export function contextLengthIn(body: unknown): number | null {
  if (!isObject(body)) return null;
  const info = isObject(body.model_info) ? body.model_info : {};
  const key = Object.keys(info).find((name) => name.endsWith('.context_length'));
  const settings = isObject(body.default_generation_settings) ? body.default_generation_settings : {};
  return positive(key ? info[key] : undefined) ?? positive(settings.n_ctx) ?? positive(body.n_ctx);
}

export function capabilitiesIn(body: unknown): Pick<ServiceModel, 'kind' | 'canSee'> {
  const list = isObject(body) && Array.isArray(body.capabilities) ? body.capabilities : undefined;
  if (!list) return { kind: null, canSee: null };
  return { kind: kindFrom(list), canSee: list.includes('vision') };
}

function modelFrom(id: string, entry: Json): ServiceModel {
  const details = isObject(entry.details) ? entry.details : {};
  const meta = isObject(entry.meta) ? entry.meta : {};
  const type = entry.type;
  const capabilities = Array.isArray(entry.capabilities) ? entry.capabilities : undefined;
  return {
    ...unknownModel(id),
    sizeBytes: positive(entry.size) ?? positive(entry.size_bytes) ?? positive(meta.size),
    parametersB: parameters(details.parameter_size) ?? billions(meta.n_params),
    quantisation: text(details.quantization_level) ?? text(entry.quantization) ?? text(meta.ftype),
    contextLength:
      positive(entry.loaded_context_length) ??
      positive(entry.context_length) ??
      positive(entry.max_context_length) ??
      positive(entry.max_model_len) ??
      positive(entry.context_window) ??
      positive(meta.n_ctx) ??
      positive(meta.n_ctx_train),
    // llama.cpp measures a model, its context among other things, only once it is in memory.
    loaded: loadedState(entry) ?? (positive(meta.n_ctx) ? true : null),
    kind:
      type === 'embeddings' || type === 'embedding'
        ? 'embedding'
        : type === 'llm' || type === 'vlm'
          ? 'chat'
          : capabilities
            ? kindFrom(capabilities)
            : null,
    canSee: type === 'vlm' ? true : type === 'llm' ? false : capabilities ? capabilities.includes('vision') : null,
  };
}

function loadedState({ state, loaded, status }: Json): boolean | null {
  if (typeof loaded === 'boolean') return loaded;
  const word = text(state) ?? (isObject(status) ? text(status.value) : text(status));
  if (word === 'loaded') return true;
  return word === 'not-loaded' || word === 'unloaded' ? false : null;
}

function kindFrom(capabilities: readonly unknown[]): 'chat' | 'embedding' | null {
  if (capabilities.includes('completion') || capabilities.includes('chat')) return 'chat';
  return capabilities.includes('embedding') ? 'embedding' : null;
}

function listIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  if (Array.isArray(body.data)) return body.data;
  return Array.isArray(body.models) ? body.models : undefined;
}

function withoutNulls(model: ServiceModel): Partial<ServiceModel> {
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== null));
}

/** Ollama lists `llama3` in one place and `llama3:latest` in another. */
function bareId(id: string): string {
  return id.replace(/:latest$/, '');
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

function billions(value: unknown): number | null {
  const count = positive(value);
  return count === null ? null : shortenedCount(count / 1e9);
}

/** Three decimals, or one significant digit of a number that would be rounded to 0. */
function shortenedCount(billion: number): number {
  return Math.round(billion * 1000) / 1000 || Number(billion.toPrecision(1));
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** "8.0B" or "134.52M", as Ollama writes them. */
function parameters(value: unknown): number | null {
  const match = typeof value === 'string' ? /^([\d.]+)\s*([BM])$/i.exec(value.trim()) : null;
  if (!match) return null;
  const figure = Number(match[1]);
  return positive(match[2]?.toUpperCase() === 'M' ? figure / 1000 : figure);
}
