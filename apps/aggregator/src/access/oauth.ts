import { type Logger, type Principal, withDeadline } from '@atoll-mcp/core';
import type { HttpRoute } from '@atoll-mcp/server';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { OAuthConfig } from '../config.ts';

/** Asymmetric algorithms only: no secret is shared with the issuer. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const DISCOVERY = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

type OAuthVerdict = Principal | 'invalid' | 'insufficient';

/** An OAuth 2.1 resource server: accepts tokens that the issuer signed for this resource. */
export class OAuthResource {
  readonly #config: OAuthConfig;
  readonly #log: Logger;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(config: OAuthConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
  }

  /** URL of the protected resource metadata (RFC 9728). */
  get metadataUrl(): string {
    const { origin, pathname } = new URL(this.#config.audience);
    return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
  }

  get scopes(): readonly string[] {
    return this.#config.scopes;
  }

  routes(): HttpRoute[] {
    const { issuer, audience, scopes } = this.#config;
    const metadata = JSON.stringify({
      resource: audience,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      resource_name: 'Atoll',
    });
    const path = '/.well-known/oauth-protected-resource';
    return [path, `${path}/*`].map((where) => ({
      method: 'GET',
      path: where,
      public: true,
      handle: async (_request, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
          .end(metadata);
      },
    }));
  }

  async check(token: string): Promise<OAuthVerdict> {
    const { issuer, audience, scopes } = this.#config;
    const { jwtVerify, errors } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, await this.#keySet(), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: 5,
        requiredClaims: ['exp', 'sub'],
      });
      const granted = scopesOf(payload);
      return scopes.every((scope) => granted.includes(scope)) ? this.#principalOf(payload) : 'insufficient';
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) this.#log.warn('token not checked', { error });
      return 'invalid';
    }
  }

  #principalOf(payload: JWTPayload): Principal {
    const claim = this.#config.viewClaim === undefined ? undefined : payload[this.#config.viewClaim];
    const views = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim.map(String) : undefined;
    const id = `${payload.sub}`;
    // With `viewClaim` configured, a token without the claim opens no view.
    return { id, ...(this.#config.viewClaim !== undefined && { views: views ?? [] }) };
  }

  #keySet(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#findKeys().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #findKeys(): Promise<JWTVerifyGetKey> {
    const uri = this.#config.jwksUri ?? (await this.#discover());
    const { createRemoteJWKSet } = await import('jose');
    return createRemoteJWKSet(new URL(uri), { cooldownDuration: 10_000, cacheMaxAge: 600_000 });
  }

  async #discover(): Promise<string> {
    const { origin, pathname } = new URL(this.#config.issuer);
    const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
    const places = [...DISCOVERY.map((place) => origin + place + path), `${origin}${path}${DISCOVERY[1]}`];
    for (const place of places) {
      // Try the next location.
      const found = await withDeadline(5_000, undefined, (signal) => metadataAt(place, signal)).catch(() => undefined);
      if (found?.issuer === this.#config.issuer && typeof found.jwks_uri === 'string') return found.jwks_uri;
    }
    throw new Error(`${this.#config.issuer} does not publish a jwks_uri`);
  }
}

async function metadataAt(place: string, signal: AbortSignal) {
  const response = await fetch(place, { redirect: 'error', signal });
  return response.ok ? ((await response.json()) as { issuer?: unknown; jwks_uri?: unknown }) : undefined;
}

function scopesOf({ scope, scp }: JWTPayload): string[] {
  if (typeof scope === 'string') return scope.split(' ');
  return Array.isArray(scp) ? scp.map(String) : typeof scp === 'string' ? scp.split(' ') : [];
}
