import { readFileSync } from 'node:fs';
import { type Authenticate, ConfigError, HttpRefusal, type HttpRoute, type Logger } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import { MissingVariableError } from '../upstreams/expand-variables.ts';
import { authenticateWith } from './authenticate.ts';
import { OAuthResource } from './oauth.ts';
import { Tokens } from './tokens.ts';

const METADATA = '/.well-known/oauth-protected-resource';

/** Who may come in, by the newest configuration. Whether anyone has to say who they are is settled at the start. */
export class AccessControl {
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: Logger;
  /** The edge keeps the one token that it was started with, so it is read once here too. */
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
    // Once guarded, an empty list of callers lets nobody in.
    this.authenticate = this.#check && ((request) => this.#check?.(request));
  }

  /** Takes over who is let in; throws, and changes nothing, when the tokens cannot be read. */
  reconfigure({ tokens, oauth }: AggregatorConfig): void {
    const known = this.#tokensOf(tokens);
    const settings = JSON.stringify(oauth);
    // The issuer's keys are kept while nothing about it changes.
    if (settings !== this.#oauthSettings) this.#oauth = oauth && new OAuthResource(oauth, this.#log);
    this.#oauthSettings = settings;
    this.#check = authenticateWith(known, this.#oauth);
  }

  /** Whether callers are named whom an edge that was started without any does not ask for. */
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
        if (!route) throw new HttpRefusal(404, 'There is nothing here; MCP is at /mcp');
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
