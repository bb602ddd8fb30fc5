import { readFileSync } from 'node:fs';
import type { Logger } from '@atoll-mcp/core';
import { type Authenticate, ConfigError, HttpRefusal, type HttpRoute } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { MissingVariableError } from '../upstreams/expand-variables.ts';
import { authenticateWith } from './authenticate.ts';
import { OAuthResource } from './oauth.ts';
import { Tokens } from './tokens.ts';

const METADATA = '/.well-known/oauth-protected-resource';

/** Authentication by the current configuration. Whether it is required is decided at start. */
export class AccessControl {
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: Logger;
  /** The HTTP server keeps the token it was started with, so it is read once here too. */
  readonly #single: string | undefined;
  readonly authenticate: Authenticate | undefined;
  #oauthSettings = '';
  #oauth: OAuthResource | undefined;
  #check: Authenticate | undefined;

  constructor(config: AggregatorConfig, { env, log }: { env: NodeJS.ProcessEnv; log: Logger }) {
    this.#env = env;
    this.#log = log;
    this.#single = config.authTokenFile === undefined ? config.authToken : readToken(config.authTokenFile);
    this.reconfigure(config);
    // If authentication was required at start, an empty token list rejects everyone.
    this.authenticate = this.#check && ((request) => this.#check?.(request));
  }

  /** Applies a configuration; throws, without changes, if the tokens cannot be read. */
  reconfigure({ tokens, oauth }: AggregatorConfig): void {
    const known = this.#tokensOf(tokens);
    const settings = JSON.stringify(oauth);
    // Keep the cached keys while the issuer is unchanged.
    if (settings !== this.#oauthSettings) this.#oauth = oauth && new OAuthResource(oauth, this.#log);
    this.#oauthSettings = settings;
    this.#check = authenticateWith(known, this.#oauth);
  }

  /** Whether tokens are configured that take effect only after a restart. */
  get isEnabledLater(): boolean {
    return this.#check !== undefined && this.authenticate === undefined;
  }

  routes(): HttpRoute[] {
    return [METADATA, `${METADATA}/*`].map((path) => ({
      method: 'GET',
      path,
      public: true,
      handle: async (request, response, context) => {
        const route = this.#oauth?.routes().find((own) => own.path === path);
        if (!route) throw new HttpRefusal(404, 'Not found; MCP is at /mcp');
        return route.handle(request, response, context);
      },
    }));
  }

  #tokensOf(tokens: AggregatorConfig['tokens']): Tokens {
    try {
      return new Tokens(tokens, this.#single, this.#env);
    } catch (error) {
      if (error instanceof MissingVariableError) throw new ConfigError([`"tokens": ${error.message}`]);
      throw error;
    }
  }
}

function readToken(path: string): string {
  try {
    const token = readFileSync(path, 'utf8').trim();
    if (token !== '') return token;
  } catch {
    throw new ConfigError([`--auth-token-file: cannot read ${path}`]);
  }
  throw new ConfigError([`--auth-token-file: ${path} is empty`]);
}
