import type {
  Authenticate,
  ChangeEvent,
  HealthReport,
  HttpRoute,
  Json,
  Logger,
  McpApp,
  Outcome,
  RawResult,
  RequestContext,
  SessionHandle,
} from '@atoll-mcp/core';
import type { AuditLog } from './audit-log.ts';
import type { Door } from './auth/door.ts';
import { builtinRoutes } from './builtin-routes.ts';
import { CallBook } from './call-book.ts';
import { LIST_METHODS } from './catalog/lists.ts';
import { pageOf } from './catalog/pages.ts';
import { ChangeRelay } from './change-relay.ts';
import { ClientSessions } from './client-sessions.ts';
import type { AggregatorConfig } from './config.ts';
import { badLogLevel } from './errors.ts';
import type { Keeper } from './lifecycle.ts';
import { Limiter } from './limiter.ts';
import { Members, type MembersOptions } from './members.ts';
import { OverviewService, statusOf } from './overview.ts';
import { settingsForRestart } from './restart.ts';
import { Router } from './router.ts';
import type { Embed } from './search/tool-search.ts';
import { StatusResource } from './status-resource.ts';
import { VERSION } from './version.ts';
import { Views } from './views.ts';
import { describeWhole, healthOf, offeredByAll } from './whole.ts';

export interface AggregatorOptions extends MembersOptions {
  readonly audit?: AuditLog | undefined;
  readonly door: Door;
  /** Further HTTP beside `/mcp`. */
  readonly routes: readonly HttpRoute[];
}

/** Many MCP servers as one app: knows who answers what and passes everything on. */
export class Aggregator implements McpApp {
  readonly info = {
    name: 'atoll',
    version: VERSION,
    title: 'Atoll',
    description: 'Several MCP servers behind one endpoint',
  };
  /** HTTP beside `/mcp`, and who may come in. */
  readonly routes: readonly HttpRoute[];
  readonly authenticate?: Authenticate;
  readonly #options: AggregatorOptions;
  readonly #log: Logger;
  readonly #members: Members;
  readonly #views: Views;
  readonly #sessions: ClientSessions;
  readonly #changes = new ChangeRelay();
  readonly #book: CallBook;
  readonly #router: Router;
  readonly #statusResource: StatusResource;
  readonly #started: AggregatorConfig;
  #config: AggregatorConfig;
  #begun: Promise<void>;

  constructor(config: AggregatorConfig, options: AggregatorOptions) {
    this.#started = config;
    this.#config = config;
    this.#options = options;
    this.#log = options.log;
    this.#members = new Members(options, {
      changed: (event) => this.#changed(event),
      said: (method, params, owners) => this.#sessions.said(method, params, owners),
    });
    this.#sessions = new ClientSessions({
      onLevel: (level) => {
        for (const keeper of this.#members.keepers) keeper.setLogLevel(level);
      },
      onNotification: (method, params) => {
        for (const keeper of this.#members.keepers) keeper.notify(method, params);
      },
    });
    this.#statusResource = new StatusResource(
      () => ({ upstreams: this.status() }),
      (event) => this.#changes.emit(event),
    );
    this.#book = new CallBook(
      () => this.#members.keepers.map(({ key, state, restarts }) => ({ key, isUp: state === 'up', restarts })),
      () => this.#statusResource.changed(),
    );
    this.#views = new Views({
      members: () => this.#members.list,
      log: options.log,
      overview: (catalog, path) =>
        new OverviewService({
          keepers: () => this.#members.keepers,
          catalog,
          book: this.#book,
          embed: () => this.#embed(),
          call: (name, args, signal) =>
            this.handle(
              'tools/call',
              { name, arguments: args },
              { ...ownContext(signal), ...(path !== undefined && { path }) },
            ),
          log: options.log,
        }),
    });
    this.#router = new Router({
      sessions: this.#sessions,
      book: this.#book,
      audit: options.audit,
      limiter: new Limiter(config.callsPerMinute),
    });
    const besideMcp = builtinRoutes({
      find: async (server) => (await this.#members.keepers.find(({ key }) => key === server)?.ready())?.app,
      offers: (server, tool, { principal }) =>
        this.#views.openTo(principal).some(({ catalog }) => catalog.shows(server, tool)),
    });
    this.routes = [...options.routes, ...besideMcp];
    if (options.door.authenticate) this.authenticate = options.door.authenticate;
    this.#begun = this.#apply(config);
  }

  get instructions(): string {
    return describeWhole(this.#members.list);
  }

  capabilities(): Json {
    return offeredByAll(this.#members.keepers);
  }

  async handle(method: string, params: Json, context: RequestContext): Promise<Json | RawResult> {
    if (this.#begun !== READY) await this.#begun;
    if (method === 'tools/call') return this.#router.callTool(this.#views.of(context), params, context);
    if (method === 'ping') return {};
    if (method === 'logging/setLevel') return this.#setLevel(params, context);
    const own = this.#statusResource.handle(method, params);
    if (own) return own;
    const view = this.#views.of(context);
    const list = LIST_METHODS[method];
    if (!list) return this.#router.route(view, method, params, context);
    await this.#router.settled(view, this.#config.listWaitMs);
    if (list.list === 'resources') {
      await Promise.all(view.catalog.members.map(({ keeper }) => keeper.readResources()));
      view.invalidate();
    }
    const items =
      list.list === 'tools'
        ? view.listedTools
        : list.list === 'prompts'
          ? view.catalog.prompts.entries.map(({ definition }) => definition)
          : view.catalog[list.list];
    const { page, nextCursor } = pageOf(items, list.key, params.cursor, this.#config.pageSize);
    return { [list.field]: page, ...(nextCursor !== undefined && { nextCursor }) };
  }

  forward(params: Json, context: RequestContext, done: (outcome: Outcome) => void): boolean {
    return this.#begun === READY && this.#router.forward(this.#views.of(context), params, context, done);
  }

  tool(name: string, request: Pick<RequestContext, 'era' | 'path'>): Json | undefined {
    return this.#views.of(request).catalog.tool(name)?.definition;
  }

  packedArguments(name: string, request: Pick<RequestContext, 'path' | 'principal'>): readonly string[] {
    if (this.#begun !== READY) return [];
    try {
      const entry = this.#views.of(request).catalog.tool(name);
      return entry?.member.keeper.link?.app?.packedArguments?.(entry.ownName, request) ?? [];
    } catch {
      // Whoever asks for a view that is not theirs is told so when the call is handled.
      return [];
    }
  }

  onChange(listener: (event: ChangeEvent) => void): () => void {
    return this.#changes.add(listener);
  }

  sessionOpened(session: SessionHandle): void {
    this.#sessions.add(session);
  }

  served(url: string): void {
    this.#members.served(url);
  }

  async health(): Promise<HealthReport> {
    return healthOf(this.#members.keepers);
  }

  /** Resolves when every upstream of the configuration has begun to start. */
  async begun(): Promise<void> {
    await this.#begun;
  }

  get keepers(): readonly Keeper[] {
    return this.#members.keepers;
  }

  /** Each upstream with its state and its figures. */
  status() {
    return this.#members.keepers.map((keeper) => statusOf(keeper, this.#book));
  }

  metrics(): Promise<string> {
    return this.#book.text();
  }

  /** Takes over a changed configuration without touching what did not change. */
  async reconfigure(config: AggregatorConfig): Promise<void> {
    const { door } = this.#options;
    door.reconfigure(config);
    const settings = [...settingsForRestart(this.#started, config), ...(door.isWaiting ? ['tokens', 'oauth'] : [])];
    if (settings.length > 0) this.#log.warn('changed settings wait for a restart', { settings });
    this.#config = config;
    this.#begun = this.#apply(config);
    await this.#begun;
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#changed({ kind });
    this.#log.info('configuration applied', { upstreams: this.#members.list.length });
  }

  async close(): Promise<void> {
    this.#statusResource.close();
    this.#changes.close();
    await this.#members.close();
    await this.#options.embedder.close();
    this.#options.held.close();
    this.#options.guard.close();
    await this.#options.audit?.close();
  }

  async #apply(config: AggregatorConfig): Promise<void> {
    this.#router.limiter = new Limiter(config.callsPerMinute);
    await Promise.all([this.#members.apply(config), this.#views.apply(config)]);
    this.#views.invalidate();
    this.#begun = READY;
  }

  /** Our own embedder, if it is among what runs here. */
  #embed(): Embed | undefined {
    const keeper = this.#members.keepers.find(
      ({ key, upstream }) => key === EMBEDDER && upstream.kind === 'in-process',
    );
    if (!keeper?.isShown) return undefined;
    return async (texts) => (await this.#options.embedder.get(this.#options)).embed(texts);
  }

  #setLevel({ level }: Json, { session }: RequestContext): Json {
    if (!this.#sessions.setLevel(session?.id, level)) throw badLogLevel();
    return {};
  }

  #changed(event: ChangeEvent): void {
    if (event.kind !== 'resource') {
      this.#views.invalidate();
      this.#statusResource.changed();
    }
    this.#changes.emit(event);
  }
}

const READY = Promise.resolve();
const EMBEDDER = 'cortex-embeddings';

function ownContext(signal: AbortSignal): RequestContext {
  return { era: 'modern', client: { id: 'atoll' }, capabilities: {}, meta: {}, signal, notify: async () => {} };
}
