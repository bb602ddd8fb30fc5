import type { Logger } from '@atoll-mcp/core';
import type { TokenSource } from '../upstreams/wire/bearer-token.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { StoredLogin } from './stored-login.ts';

interface OAuthTokensOptions {
  readonly key: string;
  readonly url: string;
  readonly login: StoredLogin;
  readonly log: Logger;
}

/** The stored access token, then refreshed ones. The OAuth client is loaded only for a refresh. */
export function oauthTokens({ key, url, login, log }: OAuthTokensOptions): TokenSource {
  return {
    async tokenAfter(refused, challenge) {
      const stored = accessToken(await login.read());
      if (stored === undefined || stored !== refused) return stored;
      try {
        const [{ auth, extractWWWAuthenticateParams }, { LoginProvider }] = await Promise.all([
          import('@modelcontextprotocol/client'),
          import('./login-provider.ts'),
        ]);
        const headers = new Headers(challenge === undefined ? {} : { 'www-authenticate': challenge });
        const { resourceMetadataUrl } = extractWWWAuthenticateParams(new Response(null, { status: 401, headers }));
        const provider = new LoginProvider({ login, redirectUrl: 'http://127.0.0.1/callback' });
        const result = await auth(provider, {
          serverUrl: url,
          fetchFn: guardedFetch(url),
          ...(resourceMetadataUrl && { resourceMetadataUrl }),
        });
        if (result === 'AUTHORIZED') return accessToken(await login.read());
      } catch (error) {
        log.warn('login not renewed', { upstream: key, error });
      }
      // Another process may have refreshed it meanwhile, which invalidates our refresh token.
      const now = accessToken(await login.read());
      return now === refused ? undefined : now;
    },
  };
}

function accessToken({ tokens }: { readonly tokens?: Record<string, unknown> | undefined }): string | undefined {
  return typeof tokens?.access_token === 'string' ? tokens.access_token : undefined;
}
