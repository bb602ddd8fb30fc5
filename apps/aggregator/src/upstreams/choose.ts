import type { Json, Logger } from '@atoll-mcp/core';
import type { UpstreamConfig } from '../config.ts';
import { accountKey } from '../login/account.ts';
import { oauthTokens } from '../login/oauth-tokens.ts';
import { StoredLogin } from '../login/stored-login.ts';
import { insertSecrets, readSecrets } from '../secrets/read-secrets.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { SuspendedCalls } from './bridge/suspended-calls.ts';
import { childEnvironment } from './child-environment.ts';
import { expand } from './expand-variables.ts';
import { HttpUpstream } from './http.ts';
import type { Upstream } from './interface.ts';
import { StdioUpstream } from './stdio.ts';
import type { ProcessGuard } from './wire/process-guard.ts';

/** What all upstreams of an aggregator share. */
interface UpstreamContext {
  readonly env: NodeJS.ProcessEnv;
  readonly clientInfo: Json;
  readonly suspended: SuspendedCalls;
  readonly guard: ProcessGuard;
  readonly log: Logger;
  readonly secrets: SecretStore;
  /** Its key in the configuration. */
  readonly server: string;
  /** The input schema of a tool, by the upstream's own name for it. */
  readonly schemaOf: (tool: string) => unknown;
}

/** Creates the upstream of an `mcpServers` entry. Rejects with `MissingVariableError`, or `ConfigError` for a missing secret. */
export async function chooseUpstream(name: string, config: UpstreamConfig, around: UpstreamContext): Promise<Upstream> {
  const values = [
    config.url,
    config.command,
    config.cwd,
    config.openapi,
    config.baseUrl,
    ...config.args,
    ...[config.headers, config.env, config.auth].flatMap((texts) => Object.values(texts)),
  ];
  const found = await readSecrets(
    values.filter((value) => value !== undefined),
    around.secrets,
  );
  // Secrets last: what is in one is never expanded.
  const expanded = (text: string) => insertSecrets(expand(text, around.env), found);
  const expandAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expanded(text)]));
  const { env, clientInfo, suspended, guard, log, schemaOf } = around;
  const { era, startTimeoutMs, maxMessageBytes } = config;
  const onMalformed = () => log.debug('upstream sent a malformed message', { upstream: name });
  const common = { name, era, startTimeoutMs, maxMessageBytes, clientInfo, suspended, onMalformed };
  if (config.openapi !== undefined) {
    const { allowPrivateAddress, followRedirects } = config;
    const { OpenApiUpstream } = await import('./openapi.ts');
    return new OpenApiUpstream({
      name,
      openapi: expanded(config.openapi),
      baseUrl: config.baseUrl === undefined ? undefined : expanded(config.baseUrl),
      headers: expandAll(config.headers),
      auth: expandAll(config.auth),
      allowPrivateAddress,
      followRedirects,
      maxMessageBytes,
      startTimeoutMs,
      log,
    });
  }
  if (config.url !== undefined) {
    const { allowPrivateAddress } = config;
    const headers = expandAll(config.headers);
    const url = expanded(config.url);
    const hasToken = Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');
    const login = new StoredLogin(around.secrets, accountKey(around.server, config.account));
    const tokens = hasToken ? undefined : oauthTokens({ key: name, url, login, log });
    return new HttpUpstream({ ...common, url, headers, tokens, allowPrivateAddress, schemaOf });
  }
  return new StdioUpstream({
    ...common,
    guard,
    command: expanded(config.command ?? ''),
    args: config.args.map(expanded),
    env: { ...childEnvironment(env, config.inheritEnv), ...expandAll(config.env) },
    cwd: config.cwd === undefined ? undefined : expanded(config.cwd),
  });
}
