import type { Json, Logger } from '@atoll-mcp/core';
import type { UpstreamConfig } from '../config.ts';
import type { SuspendedCalls } from './bridge/suspended-calls.ts';
import { childEnvironment } from './child-environment.ts';
import { expand, expandAll } from './expand-variables.ts';
import { HttpUpstream } from './http.ts';
import type { Upstream } from './interface.ts';
import { StdioUpstream } from './stdio.ts';
import type { ProcessGuard } from './wire/process-guard.ts';

/** What all upstreams of an aggregator share. */
export interface UpstreamContext {
  readonly env: NodeJS.ProcessEnv;
  readonly clientInfo: Json;
  readonly suspended: SuspendedCalls;
  readonly guard: ProcessGuard;
  readonly log: Logger;
  /** The input schema of a tool, by the upstream's own name for it. */
  readonly schemaOf: (tool: string) => unknown;
}

/** Creates the upstream of an `mcpServers` entry. Throws `MissingVariableError`. */
export function chooseUpstream(name: string, config: UpstreamConfig, around: UpstreamContext): Upstream {
  const { env, clientInfo, suspended, guard, log, schemaOf } = around;
  const { era, startTimeoutMs, maxMessageBytes } = config;
  const onMalformed = () => log.debug('upstream sent a malformed message', { upstream: name });
  const common = { name, era, startTimeoutMs, maxMessageBytes, clientInfo, suspended, onMalformed };
  if (config.url !== undefined) {
    const { allowPrivateAddress } = config;
    const headers = expandAll(config.headers, env);
    return new HttpUpstream({ ...common, url: expand(config.url, env), headers, allowPrivateAddress, schemaOf });
  }
  return new StdioUpstream({
    ...common,
    guard,
    command: expand(config.command ?? '', env),
    args: config.args.map((arg) => expand(arg, env)),
    env: { ...childEnvironment(env, config.inheritEnv), ...expandAll(config.env, env) },
    cwd: config.cwd === undefined ? undefined : expand(config.cwd, env),
  });
}
