import { join, resolve } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { Aggregator } from './aggregator.ts';
import { AuditLog } from './audit-log.ts';
import { HeldCalls } from './bridge/held-calls.ts';
import { fileListStore } from './catalog/list-store.ts';
import type { AggregatorConfig } from './config.ts';
import { loadBuiltin } from './upstreams/builtin.ts';
import { VERSION } from './version.ts';
import { ProcessGuard } from './wire/process-guard.ts';

export interface ServerOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: Logger;
}

/** The aggregator of a configuration. Its upstreams begin to start at once, in the background. */
export function createAtollServer(
  config: AggregatorConfig,
  { env = {}, log = silentLogger }: ServerOptions = {},
): Aggregator {
  const folder = join(config.dataDir, 'aggregator');
  const { auditFile, auditArguments } = config;
  return new Aggregator(config, {
    env,
    log,
    dataDir: config.dataDir,
    clientInfo: { name: 'atoll', title: 'Atoll', version: VERSION },
    held: new HeldCalls(),
    guard: new ProcessGuard(),
    store: fileListStore(join(folder, 'lists')),
    loadBuiltin,
    ...(auditFile && { audit: new AuditLog({ file: resolve(auditFile), withArguments: auditArguments, log }) }),
  });
}
