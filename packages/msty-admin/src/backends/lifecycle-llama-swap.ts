import { modelNotFound, modelStillLoaded, serviceGarbled, serviceRefused } from '../errors.ts';
import type { LifecycleDriver, LoadedEntry, RequestOptions, ServiceAddress } from './interface.ts';
import { requestJson } from './loopback-http.ts';

/** llama-swap, which starts a llama.cpp server for each model. Its models and their lifetimes are in its own configuration file. */
export const llamaSwapLifecycle: LifecycleDriver = {
  protocol: 'llama_swap',
  services: ['llamacpp', 'local_ai'],
  loaded,

  async load(service, { id }, _request, options) {
    // Any request to a model starts it; this one waits until its server is ready and asks nothing of the model.
    const call = { method: 'GET', path: `/upstream/${encodeURIComponent(id)}/health` } as const;
    const { status } = await requestJson(service, call, options);
    if (status === 400 || status === 404) throw modelNotFound(id);
    if (status !== 200) throw serviceRefused(service.name, status);
    if (!(await isLoaded(service, id, options))) throw serviceGarbled(service.name, 'did not load the model');
  },

  async unload(service, { modelId }, options) {
    const call = { method: 'POST', path: `/api/models/unload/${encodeURIComponent(modelId)}` } as const;
    const { status } = await requestJson(service, call, options);
    if (status === 404) throw modelNotFound(modelId);
    if (status !== 200) throw serviceRefused(service.name, status);
    if (await isLoaded(service, modelId, options)) throw modelStillLoaded(modelId);
  },
};

async function loaded(service: ServiceAddress, options: RequestOptions): Promise<LoadedEntry[] | null> {
  const { status, body } = await requestJson(service, { method: 'GET', path: '/running' }, options);
  const running = (body as { running?: unknown } | null)?.running;
  if (status !== 200 || !Array.isArray(running)) return null;
  return running.flatMap(({ model, state }: { model?: unknown; state?: unknown }) =>
    typeof model === 'string' && (state === 'ready' || state === 'starting')
      ? [{ id: model, instanceId: model, memoryBytes: null, vramBytes: null, expiresAt: null }]
      : [],
  );
}

async function isLoaded(service: ServiceAddress, id: string, options: RequestOptions): Promise<boolean> {
  return (await loaded(service, options))?.some((model) => model.id === id) ?? false;
}
