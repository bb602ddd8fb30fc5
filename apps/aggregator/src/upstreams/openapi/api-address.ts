import { isObject, type Json } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { isPrivate } from './redirects.ts';

export interface AddressOptions {
  readonly openapi: string;
  readonly baseUrl: string | undefined;
  readonly allowPrivateAddress: boolean;
}

/**
 * The base URL of the API: as configured, else the first server of the document. A public document must not make Atoll
 * connect to a private network. Throws `ConfigError`.
 */
export function apiAddress(document: Json, { openapi, baseUrl, allowPrivateAddress }: AddressOptions): URL {
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const source = /^https?:\/\//i.test(openapi) ? new URL(openapi) : undefined;
  const wanted = baseUrl ?? (isObject(server) ? serverUrl(server) : '/');
  const url = URL.canParse(wanted) ? new URL(wanted) : source && new URL(wanted, source);
  if (!url) throw new ConfigError([`${openapi} does not say where the API is; set "baseUrl"`]);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigError([`the address of the API, ${url.origin}, must begin with http:// or https://`]);
  }
  const isConfigured = baseUrl !== undefined || source?.hostname === url.hostname;
  if (!isConfigured && !allowPrivateAddress && isPrivate(url.hostname)) {
    throw new ConfigError([
      `${openapi} says that the API is at ${url.origin}, in a private network; set "baseUrl" to it, or "allowPrivateAddress": true`,
    ]);
  }
  return url;
}

function serverUrl({ url, variables }: Json): string {
  const known = isObject(variables) ? variables : {};
  return String(url ?? '/').replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(known, name) ? known[name] : undefined;
    return isObject(variable) && variable.default !== undefined ? String(variable.default) : whole;
  });
}
