import type { Json, Logger } from '@atoll-mcp/core';
import type { HeldCalls } from './bridge/held-calls.ts';
import type { Member } from './catalog/catalog.ts';
import { type ListStore, noListStore } from './catalog/list-store.ts';
import { type AggregatorConfig, type BuiltinConfig, builtinSchema, type UpstreamConfig } from './config.ts';
import { Keeper, type KeeperEvents } from './lifecycle.ts';
import { BUILTIN_NAMES, type BuiltinName, builtinToolNames, loadBuiltin } from './upstreams/builtin.ts';
import { chooseUpstream } from './upstreams/choose.ts';
import { InProcessUpstream } from './upstreams/in-process.ts';
import type { Upstream } from './upstreams/interface.ts';
import type { SharedEmbedder } from './upstreams/shared-embedder.ts';
import type { ProcessGuard } from './wire/process-guard.ts';

export interface MembersOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly storage?: string | undefined;
  readonly blobStorage?: string | undefined;
  readonly clientInfo: Json;
  readonly held: HeldCalls;
  readonly guard: ProcessGuard;
  readonly store: ListStore;
  readonly log: Logger;
  readonly embedder: SharedEmbedder;
}

interface Kept {
  readonly keeper: Keeper;
  /** Everything that a change of would need a new start. */
  readonly fingerprint: string;
}

/** The upstreams of a configuration. A new one is applied to what differs and leaves the rest running. */
export class Members {
  readonly #options: MembersOptions;
  readonly #events: KeeperEvents;
  #kept = new Map<string, Kept>();
  #list: readonly Member[] = [];
  #servedAt: string | undefined;

  constructor(options: MembersOptions, events: KeeperEvents) {
    this.#options = options;
    this.#events = events;
  }

  get list(): readonly Member[] {
    return this.#list;
  }

  get keepers(): readonly Keeper[] {
    return this.#list.map(({ keeper }) => keeper);
  }

  /** Takes over a configuration; resolves when what is new has begun to start. */
  async apply(config: AggregatorConfig): Promise<void> {
    const before = this.#kept;
    const kept = new Map<string, Kept>();
    const fresh: Keeper[] = [];
    const list: Member[] = [];
    for (const [key, settings] of wanted(config)) {
      const fingerprint = fingerprintOf(settings);
      const known = before.get(key);
      const keeper = known?.fingerprint === fingerprint ? known.keeper : this.#keep(key, settings);
      if (keeper !== known?.keeper) fresh.push(keeper);
      kept.set(key, { keeper, fingerprint });
      list.push(memberOf(keeper, settings));
    }
    this.#kept = kept;
    this.#list = list;
    const gone = [...before].filter(([key, { keeper }]) => kept.get(key)?.keeper !== keeper);
    for (const [key, { keeper }] of gone) {
      this.#options.log.info('upstream removed', { upstream: key });
      keeper.close().catch((error: unknown) => this.#options.log.warn('upstream not closed', { upstream: key, error }));
    }
    await Promise.all(fresh.map((keeper) => keeper.begin()));
  }

  /** Tells servers that give out links where they are reached. */
  served(url: string): void {
    this.#servedAt = url;
    for (const { link } of this.keepers) link?.app?.served?.(url);
  }

  async close(): Promise<void> {
    await Promise.all(this.keepers.map((keeper) => keeper.close()));
  }

  #keep(key: string, settings: Settings): Keeper {
    const { log, store } = this.#options;
    const { disabled, startTimeoutMs, idleTimeoutMs } = settings.config;
    const isOwn = settings.kind === 'builtin';
    const keeper: Keeper = new Keeper(
      {
        key,
        upstream: isOwn
          ? this.#builtin(settings.name, settings.config)
          : this.#foreign(key, settings.config, () => keeper),
        identity: isOwn ? undefined : identityOf(settings.config),
        disabled,
        startTimeoutMs,
        idleTimeoutMs,
        // What is in process is listed as fast as it could be read from a file.
        store: isOwn ? noListStore : store,
        log,
      },
      this.#events,
    );
    return keeper;
  }

  #builtin(name: BuiltinName, config: BuiltinConfig): Upstream {
    const settings = ownSettings(config);
    return new InProcessUpstream(async () => {
      const app = await loadBuiltin(name, { ...this.#options, settings });
      if (this.#servedAt !== undefined) app.served?.(this.#servedAt);
      return app;
    });
  }

  /** Made when it is first opened, because a variable that is missing is a failure of this upstream alone. */
  #foreign(key: string, config: UpstreamConfig, keeper: () => Keeper): Upstream {
    let chosen: Upstream | undefined;
    const schemaOf = (tool: string) => keeper().lists.tools.find(({ name }) => name === tool)?.inputSchema;
    return {
      kind: config.url === undefined ? 'stdio' : 'http',
      get lastWords() {
        return chosen?.lastWords;
      },
      open: async (events, signal) => {
        chosen ??= chooseUpstream(key, config, { ...this.#options, schemaOf });
        return chosen.open(events, signal);
      },
    };
  }
}

type Settings =
  | { readonly kind: 'builtin'; readonly name: BuiltinName; readonly config: BuiltinConfig }
  | { readonly kind: 'foreign'; readonly config: UpstreamConfig };

/** The upstreams a configuration names, ours first. A key that both lists use belongs to the foreign server. */
function wanted({ builtin, servers, mcpServers }: AggregatorConfig): Map<string, Settings> {
  const all = new Map<string, Settings>();
  const chosen = servers ?? Object.fromEntries(BUILTIN_NAMES.map((name) => [name, builtinSchema.parse({})]));
  for (const name of builtin ? BUILTIN_NAMES : []) {
    const config = chosen[name];
    if (config) all.set(name, { kind: 'builtin', name, config });
  }
  for (const [key, config] of Object.entries(mcpServers)) all.set(key, { kind: 'foreign', config });
  return all;
}

function memberOf(keeper: Keeper, settings: Settings): Member {
  const { kind, config } = settings;
  const { allow, deny, rename = {}, timeoutMs } = config;
  const prefix = config.prefix ?? (kind === 'builtin' ? '' : `${keeper.key}_`);
  const toolNames = kind === 'builtin' ? { toolNames: () => builtinToolNames(settings.name) } : {};
  return { keeper, prefix, allow, deny, rename, timeoutMs, ...toolNames };
}

/** How names appear can change while a server runs; anything else needs it started anew. */
function fingerprintOf({ kind, config }: Settings): string {
  const { prefix: _p, allow: _a, deny: _d, rename: _r, timeoutMs: _t, ...rest } = config;
  return JSON.stringify([kind, rest]);
}

function identityOf({ command, args, cwd, url }: UpstreamConfig): unknown {
  return { command, args, cwd, url };
}

function ownSettings(config: BuiltinConfig): Record<string, unknown> {
  const {
    prefix: _p,
    allow: _a,
    deny: _d,
    rename: _r,
    disabled: _x,
    timeoutMs: _t,
    startTimeoutMs: _s,
    idleTimeoutMs: _i,
    ...own
  } = config;
  return own;
}
