import { setTimeout as pause } from 'node:timers/promises';
import { pullReader } from '../domain/models/pull-progress.ts';
import { isEmbedding } from '../domain/models/tags.ts';
import {
  modelNotFound,
  modelStillLoaded,
  pullFailed,
  serviceGarbled,
  serviceRefused,
  serviceTimedOut,
} from '../errors.ts';
import type { LifecycleDriver, LoadedEntry, RequestOptions, ServiceAddress } from './interface.ts';
import { requestJson, requestLoopback } from './loopback-http.ts';

const POLL_MS = 50;
/** A download may take hours; it times out when nothing arrives for as long as a chat may take. */
const MAX_PULL_MS = 24 * 3_600_000;
const MAX_PULL_BYTES = 1024 ** 3;

/** Ollama's own HTTP, which Msty's Local AI service speaks too. */
export const ollamaLifecycle: LifecycleDriver = {
  protocol: 'ollama',
  services: ['local_ai', 'ollama'],
  loaded,

  async load(service, model, { keepAliveSeconds, contextLength }, options) {
    const settings = {
      model: model.id,
      ...(keepAliveSeconds !== undefined && { keep_alive: keepAliveSeconds }),
      ...(contextLength !== undefined && { options: { num_ctx: contextLength } }),
    };
    // Without a prompt the model is only loaded. Embedding models refuse this path.
    const call = isEmbedding(model)
      ? { path: '/api/embed', body: { ...settings, input: '' } }
      : { path: '/api/generate', body: { ...settings, stream: false } };
    await post(service, model.id, call, options);
  },

  async unload(service, { modelId }, options) {
    const body = { model: modelId, keep_alive: 0, stream: false };
    await post(service, modelId, { path: '/api/generate', body }, options);
    const deadline = performance.now() + options.timeoutMs;
    while ((await loaded(service, options))?.some(({ id }) => id === modelId)) {
      if (performance.now() > deadline) throw modelStillLoaded(modelId);
      await pause(POLL_MS, undefined, { signal: options.signal });
    }
  },

  keepAlive: (service, model, seconds, options) =>
    ollamaLifecycle.load(service, model, { keepAliveSeconds: seconds, contextLength: undefined }, options),

  async pull(service, name, onProgress, { signal, timeoutMs }) {
    const idle = new AbortController();
    let timer = setTimeout(() => idle.abort(), timeoutMs);
    const reader = pullReader();
    const call = {
      method: 'POST',
      path: '/api/pull',
      body: { model: name, stream: true },
      maxBytes: MAX_PULL_BYTES,
    } as const;
    try {
      const answer = await requestLoopback(
        service,
        { ...call, discardsBody: true },
        {
          signal: AbortSignal.any([signal, idle.signal]),
          timeoutMs: MAX_PULL_MS,
          onPiece(piece) {
            clearTimeout(timer);
            timer = setTimeout(() => idle.abort(), timeoutMs);
            for (const report of reader.read(piece)) onProgress(report);
          },
        },
      );
      if (answer.status === 404) throw modelNotFound(name);
      if (answer.status !== 200) throw serviceRefused(service.name, answer.status);
    } catch (error) {
      if (idle.signal.aborted && !signal.aborted) throw serviceTimedOut(service.name, timeoutMs);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    const { isDone, isUnknownModel, hasFailed } = reader.outcome();
    if (isUnknownModel) throw modelNotFound(name);
    if (hasFailed || !isDone) throw pullFailed(service.name, name);
  },

  async remove(service, modelId, options) {
    const answer = await requestJson(
      service,
      { method: 'DELETE', path: '/api/delete', body: { model: modelId } },
      options,
    );
    if (answer.status === 404) throw modelNotFound(modelId);
    if (answer.status !== 200) throw serviceRefused(service.name, answer.status);
  },
};

async function loaded(service: ServiceAddress, options: RequestOptions): Promise<LoadedEntry[] | null> {
  const { status, body } = await requestJson(service, { method: 'GET', path: '/api/ps' }, options);
  const models = (body as { models?: unknown } | null)?.models;
  if (status !== 200 || !Array.isArray(models)) return null;
  return models.flatMap((entry: Record<string, unknown>) => {
    const id = entry.model ?? entry.name;
    if (typeof id !== 'string') return [];
    return [
      {
        id,
        instanceId: id,
        memoryBytes: positive(entry.size),
        vramBytes: positive(entry.size_vram),
        expiresAt: expiry(entry.expires_at),
      },
    ];
  });
}

/** A model that never expires has a time centuries away. */
function expiry(value: unknown): string | null {
  const time = typeof value === 'string' ? new Date(value) : null;
  if (!time || Number.isNaN(time.getTime()) || time.getUTCFullYear() > 2200) return null;
  return time.toISOString();
}

async function post(
  service: ServiceAddress,
  modelId: string,
  call: { readonly path: string; readonly body: unknown },
  options: RequestOptions,
): Promise<void> {
  const { status, body } = await requestJson(service, { method: 'POST', ...call }, options);
  if (status === 404) throw modelNotFound(modelId);
  if (status !== 200) throw serviceRefused(service.name, status);
  if (body === null || typeof body !== 'object') throw serviceGarbled(service.name, 'did not answer with JSON');
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
