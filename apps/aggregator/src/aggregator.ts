import type {
  ChangeEvent,
  HealthReport,
  Json,
  Logger,
  McpApp,
  RawResult,
  RequestContext,
  SessionHandle,
} from '@atoll-mcp/core';
import { type Authenticate, DataFolder, type HttpRoute, withFolderProblem } from '@atoll-mcp/server';
import type { AccessControl } from './access/access-control.ts';
import type { AuditLog } from './access/audit-log.ts';
import { RateLimiter } from './access/rate-limiter.ts';
import { Activity } from './activity/activity.ts';
import type { AdminHost } from './admin/admin-service.ts';
import { Administration } from './admin/administration.ts';
import { ChangeRelay } from './catalog/change-relay.ts';
import { LIST_METHODS } from './catalog/lists.ts';
import { healthOf, mergeCapabilities, mergeInstructions } from './catalog/merged-info.ts';
import { pageOf } from './catalog/pages.ts';
import { Programs } from './code-mode/programs.ts';
import { settingsForRestart } from './commands/settings-for-restart.ts';
import type { AggregatorConfig } from './config.ts';
import { VERSION } from './contract.ts';
import { CallMetrics } from './metrics/call-metrics.ts';
import { StatusResource } from './metrics/status-resource.ts';
import type { CallPrior } from './search/call-prior.ts';
import type { VectorCache } from './search/vector-cache.ts';
import type { Tracing } from './tracing/tracing.ts';
import { ClientSessions } from './upstreams/bridge/client-sessions.ts';
import { builtinRoutes } from './upstreams/builtin-routes.ts';
import { assertAccounts } from './upstreams/configured.ts';
import { ownContext } from './upstreams/in-process.ts';
import { parseForOwner } from './upstreams/parse-for-owner.ts';
import { type RegistryOptions, UpstreamRegistry } from './upstreams/upstream-registry.ts';
import type { UpstreamSupervisor } from './upstreams/upstream-supervisor.ts';
import { OverviewService, statusOf } from './views/overview-service.ts';
import { Router } from './views/router.ts';
import { itemsOf, Views } from './views/views.ts';

export interface AggregatorOptions extends RegistryOptions {
  readonly audit?: AuditLog | undefined;
  readonly accessControl: AccessControl;
  readonly vectors: VectorCache;
  /** Undefined if search does not learn from calls. */
  readonly prior?: CallPrior | undefined;
  readonly host?: AdminHost | undefined;
  readonly tracing?: Tracing | undefined;
  /** HTTP routes beside `/mcp`. */
  readonly routes: readonly HttpRoute[];
}

/** Many MCP servers as one app: routes each request to its upstream. */
export class Aggregator implements McpApp {
  readonly info = {
    name: 'atoll',
    version: VERSION,
    title: 'Atoll',
    description: 'Several MCP servers behind one endpoint',
  };
  /** HTTP routes beside `/mcp`, and authentication. */
  readonly routes: readonly HttpRoute[];
  readonly authenticate?: Authenticate;
  readonly #options: AggregatorOptions;
  readonly #log: Logger;
  readonly #registry: UpstreamRegistry;
  readonly #views: Views;
  readonly #sessions: ClientSessions;
  readonly #changes = new ChangeRelay();
  readonly #callMetrics: CallMetrics;
  readonly #router: Router;
  readonly #programs: Programs;
  readonly #administration: Administration;
  readonly #statusResource: StatusResource;
  readonly #dataFolder: DataFolder;
  readonly #started: AggregatorConfig;
  #config: AggregatorConfig;
  #begun: Promise<void>;

  constructor(config: AggregatorConfig, options: AggregatorOptions) {
    this.#started = config;
    this.#config = config;
    this.#options = options;
    this.#dataFolder = new DataFolder(options.dataDir);
    this.#log = options.log;
    this.#registry = new UpstreamRegistry(options, {
      onChange: (event) => this.#changed(event),
      onNotification: (method, params, owners) => this.#sessions.relay(method, params, owners),
    });
    this.#sessions = new ClientSessions({
      onLevel: (level) => {
        for (const supervisor of this.#registry.supervisors) supervisor.setLogLevel(level);
      },
      onNotification: (method, params) => {
        for (const supervisor of this.#registry.supervisors) supervisor.notify(method, params);
      },
    });
    this.#statusResource = new StatusResource((event) => this.#changes.emit(event));
    this.#callMetrics = new CallMetrics(
      () => this.#registry.supervisors.map(({ key, state, restarts }) => ({ key, isUp: state === 'up', restarts })),
      () => this.#statusResource.changed(),
    );
    this.#programs = new Programs({
      config,
      log: options.log,
      suspended: options.suspended,
      views: () => this.#views,
      router: () => this.#router,
    });
    this.#views = new Views({
      members: () => this.#registry.list,
      log: options.log,
      overview: (catalog, path) =>
        new OverviewService({
          catalog,
          callMetrics: this.#callMetrics,
          views: (request) => this.#views.grantedTo(request?.principal),
          models: () => this.#registry.embeddingModels(),
          vectors: options.vectors,
          programs: this.#programs,
          prior: options.prior,
          call: async (name, args, signal) => {
            const context = { ...ownContext(signal), ...(path !== undefined && { path }) };
            return this.#router.callTool(this.#views.of(context), { name, arguments: args }, context);
          },
          log: options.log,
        }),
    });
    const activity = new Activity({ capacity: config.activity, withBodies: config.activityBodies });
    this.#router = new Router({
      activity,
      sessions: this.#sessions,
      callMetrics: this.#callMetrics,
      audit: options.audit,
      prior: options.prior,
      tracing: options.tracing,
      limiter: new RateLimiter(config.callsPerMinute),
      results: this.#programs.results,
    });
    this.#administration = new Administration({
      activity,
      log: options.log,
      env: options.env,
      host: options.host ?? {},
      config: () => this.#config,
      supervisors: () => this.#registry.supervisors,
      isAuthenticated: options.accessControl.authenticate !== undefined,
      isOpen: config.http && config.admin,
    });
    const besideMcp = builtinRoutes({
      find: async (server) => (await this.#registry.supervisors.find(({ key }) => key === server)?.ready())?.app,
      viewFor: (server, tool, { principal }) =>
        this.#views.openTo(principal).find(({ catalog }) => catalog.shows(server, tool)),
    });
    this.routes = [...options.routes, ...besideMcp];
    if (options.accessControl.authenticate) this.authenticate = options.accessControl.authenticate;
    this.#begun = this.#apply(config);
  }

  get instructions(): string {
    return mergeInstructions(this.#registry.list, this.#config);
  }

  capabilities(): Json {
    return mergeCapabilities(this.#registry.supervisors);
  }

  async handle(method: string, params: Json, context: RequestContext): Promise<Json | RawResult> {
    if (this.#begun !== READY) await this.#begun;
    if (method !== 'tools/call') return this.#answer(method, params, context);
    if (this.#administration.owns(params.name)) return this.#administration.call(params, context);
    return await this.#router.callTool(this.#views.of(context), params, context);
  }

  async #answer(method: string, params: Json, context: RequestContext): Promise<Json | RawResult> {
    if (method === 'ping') return {};
    if (method === 'logging/setLevel') return this.#sessions.setLevel(context.session?.id, params.level);
    const view = this.#views.of(context);
    const own = this.#statusResource.handle(method, params, () => view.service.status(context));
    const kept = own ?? this.#programs.results.resource(method, params, context);
    if (kept) return kept;
    const list = LIST_METHODS.get(method);
    if (!list) return this.#router.route(view, method, params, context);
    await this.#router.settled(view, this.#config.listWaitMs);
    if (list.list === 'resources') {
      await Promise.all(view.catalog.members.map(({ supervisor }) => supervisor.readResources()));
      view.invalidate();
    }
    const items = list.list === 'resources' ? await this.#router.resourcesFor(view, context) : itemsOf(view, list.list);
    const { page, nextCursor } = pageOf(items, list.key, params.cursor, this.#config.pageSize);
    return { [list.field]: page, ...(nextCursor !== undefined && { nextCursor }) };
  }

  tool(name: string, request: Pick<RequestContext, 'era' | 'path'>): Json | undefined {
    return this.#views.of(request).catalog.tool(name)?.definition;
  }

  parse(bytes: Buffer, request: Pick<RequestContext, 'path' | 'principal'>): unknown {
    if (this.#begun !== READY) return undefined;
    return parseForOwner(bytes, request, this.#registry.supervisors, () => this.#views.of(request));
  }

  onChange(listener: (event: ChangeEvent) => void): () => void {
    return this.#changes.add(listener);
  }

  sessionOpened(session: SessionHandle): void {
    this.#sessions.add(session);
  }

  served(url: string): void {
    this.#registry.served(url);
  }

  async health(caller?: Pick<RequestContext, 'principal'>): Promise<HealthReport> {
    const keys = this.#views.keysFor(caller?.principal);
    const shown = this.#registry.supervisors.filter(({ key }) => !keys || keys.has(key));
    return withFolderProblem(healthOf(shown), await this.#dataFolder.problem());
  }

  /** Resolves when every configured upstream has started to connect. */
  begun(): Promise<void> {
    return this.#begun;
  }

  get supervisors(): readonly UpstreamSupervisor[] {
    return this.#registry.supervisors;
  }

  /** Each upstream with its state and its figures. */
  status() {
    return this.#registry.supervisors.map((supervisor) => statusOf(supervisor, this.#callMetrics));
  }

  metrics(caller?: Pick<RequestContext, 'principal'>): Promise<string> {
    return this.#callMetrics.text(this.#views.keysFor(caller?.principal));
  }

  /** Applies a changed configuration; what did not change keeps running. */
  async reconfigure(config: AggregatorConfig): Promise<void> {
    assertAccounts(config);
    const { accessControl } = this.#options;
    accessControl.reconfigure(config);
    const settings = [
      ...settingsForRestart(this.#started, config),
      ...(accessControl.isEnabledLater ? ['tokens', 'oauth'] : []),
    ];
    if (settings.length > 0) this.#log.warn('changed settings need a restart', { settings });
    this.#config = config;
    this.#begun = this.#apply(config);
    await this.#begun;
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#changed({ kind });
    this.#log.info('configuration applied', { upstreams: this.#registry.list.length });
  }

  async close(): Promise<void> {
    this.#statusResource.close();
    this.#changes.close();
    this.#views.close();
    await this.#programs.close();
    await this.#registry.close();
    await this.#options.embedder.close();
    this.#options.suspended.close();
    this.#options.guard.close();
    await this.#options.prior?.save();
    await this.#options.tracing?.close();
    await this.#options.audit?.close();
  }

  async #apply(config: AggregatorConfig): Promise<void> {
    this.#router.limiter = new RateLimiter(config.callsPerMinute);
    this.#programs.apply(config);
    await Promise.all([this.#registry.apply(config), this.#views.apply(config)]);
    this.#views.invalidate();
    this.#begun = READY;
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
