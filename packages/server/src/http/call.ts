import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@atoll-mcp/core';
import { Cancellation } from '../protocol/shared/cancellation.ts';
import { HttpRefusal } from './refusal.ts';

/** One HTTP request on its way through the endpoint. */
export interface HttpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The view below `/mcp`, if the path names one. */
  readonly path: string | undefined;
  readonly principal: Principal | undefined;
}

/** What a caller of `/mcp` can read, by its Accept header. */
export function acceptedBy({ headers: { accept } }: IncomingMessage): { json: boolean; stream: boolean } {
  if (accept === undefined) return { json: true, stream: false };
  const json = accept.includes('application/json') || accept.includes('*/*') || accept.includes('application/*');
  const stream = accept.includes('text/event-stream');
  if (!json && !stream) throw new HttpRefusal(406, 'Accept must name application/json or text/event-stream');
  return { json, stream };
}

/** Aborts when the client disconnects before its request has been answered. */
export function abortOnDisconnect(response: ServerResponse): Cancellation {
  const cancellation = new Cancellation();
  response.on('close', () => {
    if (!response.writableFinished) cancellation.abort();
  });
  return cancellation;
}
