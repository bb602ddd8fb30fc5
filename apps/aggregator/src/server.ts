import { join, resolve } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { dashboardRoutes } from '@atoll-mcp/dashboard';
import { Aggregator } from './aggregator.ts';
import { AuditLog } from './audit-log.ts';
import { Door } from './auth/door.ts';
import { HeldCalls } from './bridge/held-calls.ts';
import { fileListStore } from './catalog/list-store.ts';
import type { AggregatorConfig } from './config.ts';
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
  const door = new Door(config, { env, log });
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
    door,
    routes: [...door.routes(), ...(config.dashboard ? dashboardRoutes() : [])],
    ...(auditFile && { audit: new AuditLog({ file: resolve(auditFile), withArguments: auditArguments, log }) }),
  });
}
