import type { Json } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { isSendableHeader } from './sendable.ts';

/** Credentials to add to a request. */
interface Credentials {
  readonly headers: Record<string, string>;
  readonly query: readonly (readonly [string, string])[];
}

/** The configured values for the security schemes of a document. */
export class SecuritySchemes {
  readonly #schemes = new Map<string, Credentials>();

  /** Throws `ConfigError` for a value that matches no scheme of the document. */
  constructor(schemes: ReadonlyMap<string, Json>, values: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(values)) {
      const scheme = schemes.get(name);
      if (!scheme) {
        const known = [...schemes.keys()].slice(0, 50).join(', ') || 'none';
        throw new ConfigError([`"auth" names "${name}"; the security schemes of the document are: ${known}`]);
      }
      const credentials = credentialsOf(scheme, value);
      if (!credentials) throw new ConfigError([`"auth" cannot be used for the security scheme "${name}"`]);
      this.#schemes.set(name, credentials);
    }
  }

  /** Those of the first requirement that can be met completely. Nothing is sent to operations that require none. */
  for(requirements: readonly Json[]): Credentials {
    for (const requirement of requirements) {
      const found = Object.keys(requirement).map((name) => this.#schemes.get(name));
      const all = found.filter((credentials) => credentials !== undefined);
      if (all.length < found.length || all.length === 0) continue;
      const cookies = all.flatMap(({ headers }) => headers.cookie ?? []);
      return {
        headers: {
          ...Object.assign({}, ...all.map(({ headers }) => headers)),
          ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
        },
        query: all.flatMap(({ query }) => query),
      };
    }
    return { headers: {}, query: [] };
  }
}

function credentialsOf(scheme: Json, value: string): Credentials | undefined {
  const header = (name: string, text: string) => ({ headers: { [name.toLowerCase()]: text }, query: [] });
  if (scheme.type === 'http' && /^basic$/i.test(typeof scheme.scheme === 'string' ? scheme.scheme : '')) {
    return header('authorization', `Basic ${Buffer.from(value).toString('base64')}`);
  }
  if (scheme.type === 'http' || scheme.type === 'oauth2' || scheme.type === 'openIdConnect') {
    return header('authorization', `Bearer ${value}`);
  }
  if (scheme.type !== 'apiKey' || typeof scheme.name !== 'string') return undefined;
  if (scheme.in !== 'query' && !isSendableHeader(scheme.name)) return undefined;
  if (scheme.in === 'query') return { headers: {}, query: [[scheme.name, value]] };
  return scheme.in === 'cookie' ? header('cookie', `${scheme.name}=${value}`) : header(scheme.name, value);
}
