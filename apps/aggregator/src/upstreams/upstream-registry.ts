import type { Json, Logger } from '@atoll-mcp/core';
import type { Member } from '../catalog/catalog.ts';
import { type ListStore, noListStore } from '../catalog/list-store.ts';
import type { AggregatorConfig, BuiltinConfig, UpstreamConfig } from '../config.ts';
import type { Pins } from '../pins/pins.ts';
import type { EmbeddingModel } from '../search/vector-cache.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { SuspendedCalls } from './bridge/suspended-calls.ts';
import { type BuiltinName, builtinToolNames, loadBuiltin } from './builtin.ts';
import { chooseUpstream } from './choose.ts';
import { configuredUpstreams, type External, ownPinning, type Settings } from './configured.ts';
import { InProcessUpstream } from './in-process.ts';
import type { Upstream } from './interface.ts';
import type { SharedEmbedder } from './shared-embedder.ts';
import type { SupervisorEvents } from './supervisor-options.ts';
import { UpstreamSupervisor } from './upstream-supervisor.ts';
import type { ProcessGuard } from './wire/process-guard.ts';

const EMBEDDER = 'cortex-embeddings' satisfies BuiltinName;

export interface RegistryOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly storage?: string | undefined;
  readonly blobStorage?: string | undefined;
  readonly clientInfo: Json;
  readonly suspended: SuspendedCalls;
  readonly guard: ProcessGuard;
  readonly store: ListStore;
  readonly log: Logger;
  readonly embedder: SharedEmbedder;
  readonly pins: Pins;
  readonly secrets: SecretStore;
}

interface Kept {
  readonly supervisor: UpstreamSupervisor;
  /** Settings whose change requires a restart of the upstream. */
  readonly fingerprint: string;
}

/** The upstreams of a configuration. A new configuration restarts only what changed. */
export class UpstreamRegistry {
  readonly #options: RegistryOptions;
  readonly #events: SupervisorEvents;
  #kept = new Map<string, Kept>();
  #list: readonly Member[] = [];
  #servedAt: string | undefined;

  constructor(options: RegistryOptions, events: SupervisorEvents) {
    this.#options = options;
    this.#events = events;
    options.pins.onChange = () => events.onChange({ kind: 'tools' });
    options.pins.examineAll = () => {
      for (const { pin, lists, link } of this.supervisors) pin?.examine(lists.tools, link?.serverInfo);
    };
  }

  get list(): readonly Member[] {
    return this.#list;
  }

  get supervisors(): readonly UpstreamSupervisor[] {
    return this.#list.map(({ supervisor }) => supervisor);
  }

  /** Applies a configuration; resolves when new upstreams have begun to start. */
  async apply(config: AggregatorConfig): Promise<void> {
    this.#options.pins.configure(config.pinning, ownPinning(config));
    const before = this.#kept;
    const kept = new Map<string, Kept>();
    const fresh: UpstreamSupervisor[] = [];
    const list: Member[] = [];
    for (const [key, settings] of configuredUpstreams(config)) {
      const fingerprint = fingerprintOf(settings);
      const known = before.get(key);
      const supervisor = known?.fingerprint === fingerprint ? known.supervisor : this.#keep(key, settings);
      if (supervisor !== known?.supervisor) fresh.push(supervisor);
      kept.set(key, { supervisor, fingerprint });
      list.push(memberOf(supervisor, settings, config.confirmWrites));
    }
    this.#kept = kept;
    this.#list = list;
    const gone = [...before].filter(([key, { supervisor }]) => kept.get(key)?.supervisor !== supervisor);
    for (const [key, { supervisor }] of gone) {
      this.#options.log.info('upstream removed', { upstream: key });
      supervisor
        .close()
        .catch((error: unknown) => this.#options.log.warn('upstream not closed', { upstream: key, error }));
    }
    await Promise.all(fresh.map((supervisor) => supervisor.begin()));
  }

  /** Passes the public URL to servers that create links. */
  served(url: string): void {
    this.#servedAt = url;
    for (const { link } of this.supervisors) link?.app?.served?.(url);
  }

  /** The models of the built-in embedder, if it is running. */
  embeddingModels(): (() => Promise<readonly EmbeddingModel[]>) | undefined {
    const supervisor = this.supervisors.find(({ key, upstream }) => key === EMBEDDER && upstream.kind === 'in-process');
    if (!supervisor?.isShown) return undefined;
    return () => this.#options.embedder.models(this.#options);
  }

  async close(): Promise<void> {
    // Servers that are still joining may pin their definitions until they are closed.
    await Promise.all(this.supervisors.map((supervisor) => supervisor.close())).finally(() =>
      this.#options.pins.close(),
    );
  }

  #keep(key: string, settings: Settings): UpstreamSupervisor {
    const { log, store } = this.#options;
    const { disabled, startTimeoutMs, idleTimeoutMs } = settings.config;
    const isOwn = settings.kind === 'builtin';
    const supervisor: UpstreamSupervisor = new UpstreamSupervisor(
      {
        key,
        upstream: isOwn
          ? this.#builtin(settings.name, settings.config)
          : this.#external(key, settings, () => supervisor),
        identity: isOwn ? undefined : identityOf(settings.config),
        disabled,
        startTimeoutMs,
        idleTimeoutMs,
        // In-process servers list as fast as a cache could be read.
        store: isOwn ? noListStore : store,
        ...(!isOwn && { pin: this.#options.pins.of(key, identityOf(settings.config)) }),
        log,
      },
      this.#events,
    );
    return supervisor;
  }

  #builtin(name: BuiltinName, config: BuiltinConfig): Upstream {
    const settings = ownSettings(config);
    return new InProcessUpstream(async () => {
      const app = await loadBuiltin(name, { ...this.#options, settings });
      if (this.#servedAt !== undefined) app.served?.(this.#servedAt);
      return app;
    });
  }

  /** Created on first open, so that a missing variable fails only this upstream. */
  #external(key: string, { server, config }: External, supervisor: () => UpstreamSupervisor): Upstream {
    let chosen: Upstream | undefined;
    const schemaOf = (tool: string) => supervisor().lists.tools.find(({ name }) => name === tool)?.inputSchema;
    return {
      kind: kindOf(config),
      get stderrTail() {
        return chosen?.stderrTail;
      },
      open: async (events, signal) => {
        chosen ??= await chooseUpstream(key, config, { ...this.#options, server, schemaOf });
        return chosen.open(events, signal);
      },
    };
  }
}

function memberOf(
  supervisor: UpstreamSupervisor,
  settings: Settings,
  writes: AggregatorConfig['confirmWrites'],
): Member {
  const { kind, config } = settings;
  const { allow, deny, timeoutMs } = config;
  const rename = new Map(Object.entries(config.rename ?? {}));
  const override = new Map(Object.entries(config.override ?? {}));
  const origin =
    kind === 'builtin'
      ? {}
      : { server: settings.server, account: settings.config.account, isAlternative: settings.isAlternative };
  const prefix = config.prefix ?? (kind === 'builtin' ? '' : `${settings.server}_`);
  const toolNames = kind === 'builtin' ? { toolNames: () => builtinToolNames(settings.name) } : {};
  const confirmWrites = config.confirmWrites ?? writes ?? (kind === 'builtin' ? 'allow' : 'ask');
  return {
    supervisor,
    prefix,
    allow,
    deny,
    rename,
    override,
    timeoutMs,
    confirmWrites,
    ...origin,
    ...toolNames,
  };
}

/** Listing options can change while a server runs; any other change restarts it. */
function fingerprintOf({ kind, config }: Settings): string {
  const {
    prefix: _p,
    allow: _a,
    deny: _d,
    rename: _r,
    override: _o,
    timeoutMs: _t,
    confirmWrites: _c,
    pinning: _n,
    ...rest
  } = config;
  return JSON.stringify([kind, rest]);
}

/** Which server it is, as configured; without values of variables. */
export function identityOf({ command, args, cwd, url, openapi, baseUrl }: UpstreamConfig): unknown {
  return { command, args, cwd, url, openapi, baseUrl };
}

export function kindOf({ url, openapi }: UpstreamConfig): Upstream['kind'] {
  if (openapi !== undefined) return 'openapi';
  return url === undefined ? 'stdio' : 'http';
}

function ownSettings(config: BuiltinConfig): Record<string, unknown> {
  const {
    prefix: _p,
    allow: _a,
    deny: _d,
    rename: _r,
    override: _o,
    disabled: _x,
    timeoutMs: _t,
    startTimeoutMs: _s,
    idleTimeoutMs: _i,
    confirmWrites: _c,
    ...own
  } = config;
  return own;
}
