import { isObject, type Json } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { isPrivate } from './redirects.ts';

interface AddressOptions {
  readonly openapi: string;
  readonly baseUrl: string | undefined;
  readonly allowPrivateAddress: boolean;
}

const MAX_URL_CHARS = 2_000;

/**
 * The base URL of the API: as configured, else the server of the document. A document must not make Atoll
 * connect to a private network. Throws `ConfigError`.
 */
export function apiAddress(server: Json | undefined, { openapi, baseUrl, allowPrivateAddress }: AddressOptions): URL {
  const source = /^https?:\/\//i.test(openapi) ? new URL(openapi) : undefined;
  const wanted = baseUrl ?? (server ? serverUrl(server) : '/');
  const url = URL.canParse(wanted) ? new URL(wanted) : source && new URL(wanted, source);
  if (!url) throw new ConfigError([`${openapi} does not say where the API is; set "baseUrl"`]);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigError([`the address of the API, ${url.origin}, must begin with http:// or https://`]);
  }
  // Another port of the same machine is another service.
  const isConfigured = baseUrl !== undefined || source?.host === url.host;
  if (!isConfigured && !allowPrivateAddress && isPrivate(url.hostname)) {
    throw new ConfigError([
      `${openapi} says that the API is at ${url.origin}, in a private network; set "baseUrl" to it, or "allowPrivateAddress": true`,
    ]);
  }
  return url;
}

function serverUrl({ url, variables }: Json): string {
  const known = isObject(variables) ? variables : {};
  const template = typeof url === 'string' ? url.slice(0, MAX_URL_CHARS) : '/';
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(known, name) ? known[name] : undefined;
    return isObject(variable) && ['string', 'number'].includes(typeof variable.default)
      ? String(variable.default)
      : whole;
  });
}
