import { INVALID_PARAMS, type Json, type Logger, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import { createServer } from '@atoll-mcp/server';
import { Catalog, type Member } from '../catalog/catalog.ts';
import { noListStore } from '../catalog/list-store.ts';
import type { AggregatorConfig, ViewConfig } from '../config.ts';
import { contract, SEARCH_TOOLS } from '../contract.ts';
import { InProcessUpstream } from '../upstreams/in-process.ts';
import { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { type OverviewService, OWN_KEY } from './overview-service.ts';

export interface ViewsOptions {
  readonly members: () => readonly Member[];
  readonly overview: (catalog: () => Catalog, view: string | undefined) => OverviewService;
  readonly log: Logger;
}

/** One view: a subset of the upstreams' tools, and the aggregator's own tools for that subset. */
export class View {
  readonly name: string | undefined;
  readonly #config: ViewConfig;
  readonly #own: Member;
  readonly service: OverviewService;
  readonly #members: () => readonly Member[];
  #catalog: Catalog | undefined;
  #listed: readonly Json[] | undefined;

  constructor(name: string | undefined, config: ViewConfig, options: ViewsOptions) {
    this.name = name;
    this.#config = config;
    this.#members = options.members;
    this.service = options.overview(() => this.catalog, name);
    const server = createServer(contract, { service: this.service, log: options.log });
    const supervisor = new UpstreamSupervisor(
      {
        key: OWN_KEY,
        upstream: new InProcessUpstream(async () => server),
        identity: undefined,
        disabled: false,
        startTimeoutMs: 10_000,
        idleTimeoutMs: 0,
        store: noListStore,
        log: { ...options.log, info() {} },
      },
      { onChange: () => this.invalidate(), onNotification: () => {} },
    );
    this.#own = { supervisor, prefix: '', rename: new Map(), timeoutMs: 0, isOwn: true };
  }

  begin(): Promise<unknown> {
    return this.#own.supervisor.ready();
  }

  get catalog(): Catalog {
    this.#catalog ??= new Catalog([this.#own, ...this.#members()], this.#config);
    return this.#catalog;
  }

  /** What `tools/list` shows: every tool, or those that find and call the rest. */
  get listedTools(): readonly Json[] {
    // Whoever lists a search view is about to search it.
    if (!this.#listed && this.#config.mode === 'search') this.service.prepareSearch();
    this.#listed ??= this.catalog.tools.entries
      .filter(({ name, member }) =>
        this.#config.mode === 'search' ? member.isOwn === true : !(member.isOwn && SEARCH_TOOLS.has(name)),
      )
      .map(({ definition }) => definition);
    return this.#listed;
  }

  invalidate(): void {
    this.#catalog = undefined;
    this.#listed = undefined;
  }
}

/** The views of a configuration. */
export class Views {
  readonly #options: ViewsOptions;
  #all = new Map<string | undefined, View>();

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  async apply({ mode, views }: AggregatorConfig): Promise<void> {
    const named = Object.entries(views).map(([name, view]) => [name, { ...view, mode: view.mode ?? mode }] as const);
    this.#all = new Map(
      [[undefined, { mode }] as const, ...named].map(([name, config]) => [name, new View(name, config, this.#options)]),
    );
    await Promise.all([...this.#all.values()].map((view) => view.begin()));
  }

  /** The view of a request: the one in its path, or the first its token grants. */
  of({ path, principal }: Pick<RequestContext, 'path' | 'principal'>): View {
    const granted = grantedViews(principal);
    const name = path ?? granted?.[0];
    const view = this.#all.get(name);
    if (!view) throw new ProtocolFault(INVALID_PARAMS, `Unknown view "${name}"`);
    if (granted && (name === undefined || !granted.includes(name))) {
      throw new ProtocolFault(INVALID_PARAMS, `This token has no access to the view "${name}"`);
    }
    return view;
  }

  /** All views a caller may use, for routes without a view in the path. */
  openTo(principal: RequestContext['principal']): View[] {
    const names = grantedViews(principal) ?? [undefined];
    return names.flatMap((name) => this.#all.get(name) ?? []);
  }

  /** The keys of the upstreams that a caller may see; undefined means all. */
  keysFor(principal: RequestContext['principal']): ReadonlySet<string> | undefined {
    if (!grantedViews(principal)) return undefined;
    return new Set(
      this.openTo(principal).flatMap(({ catalog }) => catalog.members.map(({ supervisor }) => supervisor.key)),
    );
  }

  invalidate(): void {
    for (const view of this.#all.values()) view.invalidate();
  }
}

function grantedViews(principal: RequestContext['principal']): readonly string[] | undefined {
  const views = principal?.views;
  return Array.isArray(views) ? views.map(String) : undefined;
}
