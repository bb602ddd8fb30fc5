import { setTimeout as pause } from 'node:timers/promises';
import { modelNotFound, pullFailed, serviceGarbled, serviceRefused } from '../errors.ts';
import type { LifecycleDriver, LoadedEntry, RequestOptions, ServiceAddress } from './interface.ts';
import { requestJson } from './loopback-http.ts';

const POLL_MS = 500;

/** LM Studio's REST API, version 1 (LM Studio 0.4 and later). It neither deletes models nor changes how long they stay loaded. */
export const lmStudioLifecycle: LifecycleDriver = {
  protocol: 'lm_studio',
  services: ['lm_studio'],
  loaded,

  async load(service, model, { contextLength }, options) {
    const body = { model: model.id, ...(contextLength !== undefined && { context_length: contextLength }) };
    const answer = await post(service, model.id, '/api/v1/models/load', body, options);
    if (answer.status !== 'loaded') throw serviceGarbled(service.name, 'did not load the model');
  },

  async unload(service, { modelId, instanceIds }, options) {
    for (const instance_id of instanceIds) {
      await post(service, modelId, '/api/v1/models/unload', { instance_id }, options);
    }
  },

  async pull(service, name, onProgress, options) {
    let job = await post(service, name, '/api/v1/models/download', { model: name }, options);
    const id = job.job_id;
    while (job.status === 'downloading' || job.status === 'paused') {
      onProgress({ progress: bytes(job.downloaded_bytes) ?? 0, ...totalOf(job), message: String(job.status) });
      await pause(POLL_MS, undefined, { signal: options.signal });
      const call = { method: 'GET', path: `/api/v1/models/download/status/${encodeURIComponent(String(id))}` } as const;
      const { status, body } = await requestJson(service, call, options);
      if (status !== 200) throw serviceRefused(service.name, status);
      job = asObject(body);
    }
    if (job.status !== 'completed' && job.status !== 'already_downloaded') throw pullFailed(service.name, name);
  },
};

async function loaded(service: ServiceAddress, options: RequestOptions): Promise<LoadedEntry[] | null> {
  const { status, body } = await requestJson(service, { method: 'GET', path: '/api/v1/models' }, options);
  const models = asObject(body).models;
  if (status !== 200 || !Array.isArray(models)) return null;
  return models.map(asObject).flatMap(({ key, size_bytes, loaded_instances }) => {
    if (typeof key !== 'string' || !Array.isArray(loaded_instances)) return [];
    return loaded_instances
      .map(asObject)
      .flatMap(({ id }) =>
        typeof id === 'string'
          ? [{ id: key, instanceId: id, memoryBytes: bytes(size_bytes), vramBytes: null, expiresAt: null }]
          : [],
      );
  });
}

async function post(
  service: ServiceAddress,
  modelId: string,
  path: string,
  body: unknown,
  options: RequestOptions,
): Promise<Record<string, unknown>> {
  const answer = await requestJson(service, { method: 'POST', path, body }, options);
  if (answer.status === 404) throw modelNotFound(modelId);
  if (answer.status < 200 || answer.status > 299) throw serviceRefused(service.name, answer.status);
  return asObject(answer.body);
}

function totalOf({ total_size_bytes }: Record<string, unknown>): { total?: number } {
  const total = bytes(total_size_bytes);
  return total === null ? {} : { total };
}

function bytes(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}

function asObject(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
