import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ProtocolFault, REFUSED } from '@atoll-mcp/core';
import { errorText, type RequestId } from '../protocol/shared/json-rpc.ts';

/** A request that is rejected before it reaches the app. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly fault: ProtocolFault;
  readonly id: RequestId | null;

  constructor(
    status: number,
    fault: string | ProtocolFault,
    options: { headers?: OutgoingHttpHeaders; id?: RequestId | null } = {},
  ) {
    const known = typeof fault === 'string' ? new ProtocolFault(REFUSED, fault) : fault;
    super(known.message);
    this.status = status;
    this.fault = known;
    this.headers = options.headers ?? {};
    this.id = options.id ?? null;
  }
}

/** Rejects the request with a JSON-RPC error, which other clients can read as plain JSON. */
export function sendRefusal(response: ServerResponse, refusal: HttpRefusal): void {
  sendJson(response, refusal.status, errorText(refusal.id, refusal.fault), refusal.headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}
