import type { ServerResponse } from 'node:http';
import { tryParseJson } from '@atoll-mcp/core';
import { INTERNAL_ERROR, RATE_LIMITED } from '../errors.ts';

/** What is known of a failure, however it came about. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Sends a failure; `refused` is the status for what is the caller's fault. */
export function sendFailure(response: ServerResponse, failure: Failure, refused: number, body: unknown): void {
  const retryAfterMs = failure.details?.retry_after_ms;
  if (typeof retryAfterMs === 'number') response.setHeader('retry-after', Math.ceil(retryAfterMs / 1000));
  sendJson(response, statusOf(failure.code, refused), body);
}

/** Says which model and graph made the answer, so that a client can keep it beside its vectors. */
export function nameModel(response: ServerResponse, identity: unknown): void {
  if (typeof identity === 'string') response.setHeader('x-model-identity', encodeURI(identity));
}

/** The value of a body, undefined if it is not JSON. */
export function parseBody(body: Buffer): unknown {
  return tryParseJson(body.toString('utf8'));
}

function statusOf(code: string, refused: number): number {
  if (code === RATE_LIMITED) return 429;
  return code === INTERNAL_ERROR ? 500 : refused;
}
