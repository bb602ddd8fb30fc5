import { isObject } from '@atoll-mcp/core';
import type { ServiceAddress } from '../backends/interface.ts';
import type { EndpointName } from '../domain/models/services.ts';
import { redact } from '../domain/secrets/redact.ts';
import { invalidContent, invalidParameter, serviceRefused } from '../errors.ts';
import type { ServiceOptions } from './options.ts';

export interface ServiceQuery {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body: unknown;
  /** The names of path and body in messages. */
  readonly pathName: string;
  readonly bodyName: string;
}

/** Models are changed by Msty itself, or by the tools of the lifecycle toolset. */
const CHANGES_MODELS =
  /^\/api\/(?:pull|push|create|copy|delete|blobs)(?:\/|$)|^(?:\/api(?:\/v1)?)?\/models\/(?:load|unload|download)(?:\/|$)|^\/unload(?:\/|$)/;
const PLAIN_PATH = /^\/[\w./-]*(?:\?[\w.=&%-]*)?$/;

/** One request that a caller worded; secrets in its answer are redacted. */
export async function sendQuery(
  { backends, timeoutMs, chatTimeoutMs }: ServiceOptions,
  service: ServiceAddress<EndpointName>,
  query: ServiceQuery,
  signal: AbortSignal,
): Promise<{ status: number; response: unknown }> {
  checkPath(query);
  const body = typeof query.body === 'string' ? parsedBody(query.body, query.bodyName) : query.body;
  const answer = await backends.services.request(
    service,
    { method: query.method, path: query.path, ...(body !== undefined && { body: unstreamed(body) }) },
    { signal, timeoutMs: query.method === 'GET' ? timeoutMs : chatTimeoutMs },
  );
  if (answer.status < 200 || answer.status > 299) throw serviceRefused(service.name, answer.status);
  return { status: answer.status, response: redact(answer.body) };
}

function checkPath({ path: asked, pathName }: ServiceQuery): void {
  const [path = ''] = asked.split('?');
  if (!PLAIN_PATH.test(asked) || path.includes('..') || path.includes('//')) {
    throw invalidParameter(
      `${pathName} must be a plain path on the service`,
      'For example "/v1/models" or "/api/tags"',
    );
  }
  if (CHANGES_MODELS.test(path.toLowerCase())) {
    throw invalidParameter(
      `${path} would change the installed or loaded models`,
      'Use Msty Studio, or the tools of the lifecycle toolset',
    );
  }
}

function parsedBody(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidContent(`${name} is not JSON`, 'Send a JSON object, or its text', error);
  }
}

/** The answer is returned in one piece, so streaming is switched off. */
function unstreamed(body: unknown): unknown {
  return isObject(body) && 'messages' in body ? { ...body, stream: false } : body;
}
