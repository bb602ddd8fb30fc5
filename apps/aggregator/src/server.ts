import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, type Logger, silentLogger } from '@atoll-mcp/core';
import { dashboardRoutes } from '@atoll-mcp/dashboard';
import { Aggregator } from './aggregator.ts';
import { AuditLog } from './audit-log.ts';
import { authenticateWith } from './auth/authenticate.ts';
import { OAuthResource } from './auth/oauth.ts';
import { Tokens } from './auth/tokens.ts';
import { HeldCalls } from './bridge/held-calls.ts';
import { fileListStore } from './catalog/list-store.ts';
import type { AggregatorConfig } from './config.ts';
import { MissingVariable } from './expand.ts';
import { SharedEmbedder } from './upstreams/shared-embedder.ts';
import { VERSION } from './version.ts';
import { ProcessGuard } from './wire/process-guard.ts';

export interface ServerOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: Logger;
}

/** The aggregator of a configuration. Its upstreams begin to start at once, in the background. */
export function createAtollServer(config: AggregatorConfig, options: ServerOptions = {}): Aggregator {
  const { env = {}, log = silentLogger } = options;
  const { dataDir, auditFile, auditArguments, storage, blobStorage } = config;
  const oauth = config.oauth && new OAuthResource(config.oauth, log);
  const authenticate = authenticateWith(tokensOf(config, env), oauth);
  return new Aggregator(config, {
    env,
    log,
    dataDir,
    storage,
    blobStorage,
    clientInfo: { name: 'atoll', title: 'Atoll', version: VERSION },
    held: new HeldCalls(),
    guard: new ProcessGuard(),
    store: fileListStore(join(dataDir, 'aggregator', 'lists')),
    embedder: new SharedEmbedder(),
    routes: [...(oauth?.routes() ?? []), ...(config.dashboard ? dashboardRoutes() : [])],
    ...(authenticate && { authenticate }),
    ...(auditFile && { audit: new AuditLog({ file: resolve(auditFile), withArguments: auditArguments, log }) }),
  });
}

function tokensOf({ tokens, authToken, authTokenFile }: AggregatorConfig, env: NodeJS.ProcessEnv): Tokens {
  try {
    return new Tokens(tokens, authTokenFile === undefined ? authToken : readToken(authTokenFile), env);
  } catch (error) {
    if (error instanceof MissingVariable) throw new ConfigError([`"tokens": ${error.message}`]);
    throw error;
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
