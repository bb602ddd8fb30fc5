import { isIP } from 'node:net';
import { isLocalName, isPrivateAddress } from '../wire/private-address.ts';
import type { HttpAnswer, HttpRequest } from './exchange.ts';

export const MAX_REDIRECTS = 5;

/** All that another origin is told: other headers may hold credentials. */
const NEUTRAL_HEADERS = ['accept', 'user-agent'];

/** The request that a redirect asks for; undefined if it may not be sent. */
export function redirected(
  { method, url, headers, body, signal }: HttpRequest,
  { status, headers: { location } }: HttpAnswer,
  allowPrivateAddress: boolean,
): HttpRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  const isSame = next.origin === url.origin;
  if (next.protocol !== 'https:' && next.protocol !== url.protocol) return undefined;
  if (!isSame && !allowPrivateAddress && isPrivate(next.hostname)) return undefined;
  const keepsMethod = status >= 307 || method === 'GET' || method === 'HEAD';
  if (!keepsMethod) return { method: 'GET', url: next, headers: without(headers, 'content-type', isSame), signal };
  // The data was meant for the API alone.
  if (body && !isSame) return undefined;
  return { method, url: next, headers: without(headers, '', isSame), ...(body && { body }), signal };
}

function without(headers: HttpRequest['headers'], left: string, isSameOrigin: boolean): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== left && (isSameOrigin || NEUTRAL_HEADERS.includes(name)),
  );
  return Object.fromEntries(kept);
}

/** Whether a host name means this machine or its network. */
export function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? isLocalName(hostname) : isPrivateAddress({ address, family });
}
