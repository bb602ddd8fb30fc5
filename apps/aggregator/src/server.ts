import { join, resolve } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { dashboardRoutes } from '@atoll-mcp/dashboard';
import { AccessControl } from './access/access-control.ts';
import { AuditLog } from './access/audit-log.ts';
import type { AdminHost } from './admin/admin-service.ts';
import { Aggregator } from './aggregator.ts';
import { fileListStore } from './catalog/list-store.ts';
import type { AggregatorConfig } from './config.ts';
import { VERSION } from './contract.ts';
import { LockFile, lockPath } from './pins/lock-file.ts';
import { Pins } from './pins/pins.ts';
import { CallPrior } from './search/call-prior.ts';
import { VectorCache } from './search/vector-cache.ts';
import { SecretStore } from './secrets/secret-store.ts';
import type { Tracing } from './tracing/tracing.ts';
import { SuspendedCalls } from './upstreams/bridge/suspended-calls.ts';
import { SharedEmbedder } from './upstreams/shared-embedder.ts';
import { ProcessGuard } from './upstreams/wire/process-guard.ts';

export interface ServerOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: Logger;
  /** What administration can change outside: the configuration file, clients. */
  readonly host?: AdminHost;
  /** Records calls as spans. */
  readonly tracing?: Tracing | undefined;
}

/** Secrets of a system without a keychain. */
export const secretFile = (dataDir: string) => join(dataDir, 'aggregator', 'secrets.json');

/** Creates the aggregator of a configuration. Upstreams start immediately, in the background. */
export function createAtollServer(config: AggregatorConfig, options: ServerOptions = {}): Aggregator {
  const { env = {}, log = silentLogger } = options;
  const { dataDir, auditFile, auditArguments, storage, blobStorage } = config;
  const accessControl = new AccessControl(config, { env, log });
  return new Aggregator(config, {
    env,
    log,
    host: options.host,
    tracing: options.tracing,
    dataDir,
    storage,
    blobStorage,
    clientInfo: { name: 'atoll', title: 'Atoll', version: VERSION },
    suspended: new SuspendedCalls(),
    guard: new ProcessGuard(),
    store: fileListStore(join(dataDir, 'aggregator', 'lists')),
    embedder: new SharedEmbedder(),
    secrets: new SecretStore(secretFile(dataDir), config),
    pins: new Pins(new LockFile(() => lockPath(options.host?.configFile?.path, dataDir)), log),
    vectors: new VectorCache(join(dataDir, 'aggregator', 'tool-vectors.bin'), log),
    ...(config.learnFromCalls && { prior: new CallPrior(join(dataDir, 'aggregator', 'search-prior.json'), log) }),
    accessControl,
    routes: [...accessControl.routes(), ...(config.dashboard ? dashboardRoutes() : [])],
    ...(auditFile && { audit: new AuditLog({ file: resolve(auditFile), withArguments: auditArguments, log }) }),
  });
}
