import { Agent, type IncomingMessage, request } from 'node:http';
import { withDeadline } from '@atoll-mcp/core';
import type { EndpointName } from '../domain/models/services.ts';
import { cancelled, serviceDown, serviceGarbled, serviceTimedOut } from '../errors.ts';
import type { RequestOptions, ServiceAddress, ServiceAnswer } from './interface.ts';

const MAX_JSON_BYTES = 16 * 1024 * 1024;

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly maxBytes: number;
  /** The body is only given to `onPiece`, not kept. */
  readonly discardsBody?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Its own agent, so that no proxy setting of the process applies; each request has its own connection. */
const agent = new Agent({ keepAlive: false });

/**
 * One request to a service on this machine. No redirect is followed, and no more than `maxBytes` are read. The time-out is for
 * all of it, from the connection to the last byte; what timed out or was cancelled is torn down.
 */
export async function requestLoopback(
  service: ServiceAddress<EndpointName>,
  call: HttpCall,
  { signal, timeoutMs, onPiece }: RequestOptions & { readonly onPiece?: (text: string, isStream: boolean) => void },
): Promise<HttpAnswer> {
  return withDeadline(timeoutMs, signal, async (ended) => {
    try {
      return await exchange(service, call, ended, onPiece);
    } catch (error) {
      if (signal.aborted) throw cancelled();
      if (ended.aborted) throw serviceTimedOut(service.name, timeoutMs);
      throw named(service, error);
    }
  });
}

/** One request with a JSON answer; the body is null when it is not JSON. */
export async function requestJson(
  service: ServiceAddress<EndpointName>,
  call: Pick<HttpCall, 'method' | 'path' | 'body'>,
  options: RequestOptions,
): Promise<ServiceAnswer> {
  const { status, text } = await requestLoopback(service, { ...call, maxBytes: MAX_JSON_BYTES }, options);
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: null };
  }
}

function exchange(
  service: ServiceAddress<EndpointName>,
  { method, path, body, maxBytes, discardsBody = false }: HttpCall,
  signal: AbortSignal,
  onPiece?: (text: string, isStream: boolean) => void,
): Promise<HttpAnswer> {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: service.port,
        method,
        path,
        agent,
        signal,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(payload && { 'content-type': 'application/json', 'content-length': payload.byteLength }),
        },
      },
      (incoming) => {
        readBody(incoming, service, { maxBytes, discardsBody }, onPiece).then(resolve, (error: unknown) => {
          incoming.destroy();
          reject(error);
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

async function readBody(
  incoming: IncomingMessage,
  service: ServiceAddress<EndpointName>,
  { maxBytes, discardsBody }: { readonly maxBytes: number; readonly discardsBody: boolean },
  onPiece?: (text: string, isStream: boolean) => void,
): Promise<HttpAnswer> {
  const contentType = incoming.headers['content-type'] ?? '';
  const isStream = contentType.includes('text/event-stream');
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw serviceGarbled(service.name, `sent more than ${maxBytes} bytes`);
    const piece = decoder.decode(chunk, { stream: true });
    if (!discardsBody) pieces.push(piece);
    onPiece?.(piece, isStream);
  }
  // Node ends the iteration quietly on some early closes, so a promised length is held against what came.
  const promised = Number(incoming.headers['content-length'] ?? bytes);
  if (!incoming.complete || promised !== bytes)
    throw serviceGarbled(service.name, 'closed the connection before the end of its answer');
  return { status: incoming.statusCode ?? 0, contentType, text: pieces.join('') + decoder.decode() };
}

function named(service: ServiceAddress<EndpointName>, error: unknown): unknown {
  const { code, name } = error as { code?: string; name?: string };
  if (name === 'ToolError') return error;
  if (code === 'ECONNREFUSED' || code === 'EADDRNOTAVAIL' || code === 'ENETUNREACH') {
    return serviceDown(service.name, service.port, error);
  }
  return serviceGarbled(service.name, 'closed the connection early or does not speak HTTP', error);
}
