import type { Json, Logger } from '@atoll-mcp/core';
import type { HeldCalls } from '../bridge/held-calls.ts';
import type { UpstreamConfig } from '../config.ts';
import { expand, expandAll } from '../expand.ts';
import type { ProcessGuard } from '../wire/process-guard.ts';
import { HttpUpstream } from './http.ts';
import type { Upstream } from './interface.ts';
import { StdioUpstream } from './stdio.ts';

/** What every upstream of this aggregator shares. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly clientInfo: Json;
  readonly held: HeldCalls;
  readonly guard: ProcessGuard;
  readonly log: Logger;
  /** The input schema of a tool, by the upstream's own name for it. */
  readonly schemaOf: (tool: string) => unknown;
}

/** A block of `mcpServers` → the upstream it means. Throws `MissingVariable`. */
export function chooseUpstream(name: string, config: UpstreamConfig, around: Surroundings): Upstream {
  const { env, clientInfo, held, guard, log, schemaOf } = around;
  const { era, startTimeoutMs, maxMessageBytes } = config;
  const onGarbage = () => log.debug('upstream sent a line that is no message', { upstream: name });
  const common = { name, era, startTimeoutMs, maxMessageBytes, clientInfo, held, onGarbage };
  if (config.url !== undefined) {
    const headers = expandAll(config.headers, env);
    return new HttpUpstream({ ...common, url: expand(config.url, env), headers, schemaOf });
  }
  return new StdioUpstream({
    ...common,
    guard,
    command: expand(config.command ?? '', env),
    args: config.args.map((arg) => expand(arg, env)),
    env: { ...inherited(env), ...expandAll(config.env, env) },
    cwd: config.cwd === undefined ? undefined : expand(config.cwd, env),
  });
}

/** Our own tokens are no business of our children. */
function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !/^ATOLL_.*TOKEN/.test(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
