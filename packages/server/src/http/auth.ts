import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '@atoll-mcp/core';
import type { Authenticate, AuthRefusal } from './options.ts';
import { HttpRefusal } from './refusal.ts';

/** The token of an `Authorization: Bearer` header. */
export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Compares in constant time: the duration reveals neither where the two differ nor the length of the token. */
export function isSameToken(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** Accepts requests that have the one configured token. */
export function bearerToken(token: string): Authenticate {
  return (request) => {
    const given = bearerOf(request);
    return given !== undefined && isSameToken(given, token) ? { id: 'token' } : undefined;
  };
}

/** Accepts a request if either authenticator does; a rejection is the second one's. */
export function either(first: Authenticate | undefined, second: Authenticate | undefined): Authenticate | undefined {
  if (!first || !second) return first ?? second;
  return async (request) => {
    const found = await first(request);
    return found && !isRefusal(found) ? found : second(request);
  };
}

/** Authenticates the request, or throws a refusal. */
export async function admit(authenticate: Authenticate, request: IncomingMessage): Promise<Principal> {
  const found = await authenticate(request);
  if (found && !isRefusal(found)) return found;
  const { status, message, challenge } = found ?? unknown(request);
  throw new HttpRefusal(status, message, { headers: { 'www-authenticate': challenge ?? 'Bearer' } });
}

/** Who sent the request, where anyone may. */
export async function admitIfKnown(
  authenticate: Authenticate,
  request: IncomingMessage,
): Promise<Principal | undefined> {
  const found = await authenticate(request);
  return found && !isRefusal(found) ? found : undefined;
}

function isRefusal(found: Principal | AuthRefusal): found is AuthRefusal {
  return !('id' in found);
}

function unknown(request: IncomingMessage): AuthRefusal {
  if (bearerOf(request) === undefined) return { status: 401, message: 'Send "Authorization: Bearer <token>"' };
  return { status: 401, message: 'This token is not valid here', challenge: 'Bearer error="invalid_token"' };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
