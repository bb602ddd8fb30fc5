import { INVALID_PARAMS, type Json, type Logger, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import { createServer } from '@atoll-mcp/server';
import { Catalog, type Entry, type Member } from '../catalog/catalog.ts';
import { noListStore } from '../catalog/list-store.ts';
import type { ListName } from '../catalog/lists.ts';
import type { AggregatorConfig, ViewConfig } from '../config.ts';
import { contract, hasNeedsOf, listsOwnTool, type OwnToolNeeds, type OwnToolSettings } from '../contract.ts';
import { unknownTool } from '../errors.ts';
import { canQueryTables } from '../results/from-memory-tables.ts';
import { canSave } from '../results/save-result.ts';
import { InProcessUpstream } from '../upstreams/in-process.ts';
import { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { lightDefinition } from './light-definition.ts';
import { type OverviewService, OWN_KEY } from './overview-service.ts';

interface ViewsOptions {
  readonly members: () => readonly Member[];
  readonly overview: (catalog: () => Catalog, view: string | undefined) => OverviewService;
  readonly log: Logger;
}

/** A view, with the settings that apply to all views. */
interface ViewSettings extends Omit<ViewConfig, 'mode' | 'maxResultBytes' | 'outputSchemas'>, OwnToolSettings {
  readonly outputSchemas: boolean;
}

/** Debounces indexing: servers that start together register one after another. */
const SETTLED_MS = 250;

/** One view: a subset of the upstreams' tools, and the aggregator's own tools for that subset. */
export class View {
  readonly name: string | undefined;
  readonly #config: ViewSettings;
  readonly #own: Member;
  readonly service: OverviewService;
  readonly #members: () => readonly Member[];
  #catalog: Catalog | undefined;
  #listed: readonly Json[] | undefined;
  #isPrepared = false;
  #preparing: NodeJS.Timeout | undefined;

  constructor(name: string | undefined, config: ViewSettings, options: ViewsOptions) {
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
    const accounts = new Map(Object.entries(this.#config.accounts ?? {}));
    this.#catalog ??= new Catalog([this.#own, ...withAccounts(this.#members(), accounts)], this.#config);
    return this.#catalog;
  }

  /** Whether programs may call its tools. */
  get runsPrograms(): boolean {
    return this.#config.runsPrograms;
  }

  /** Larger results are stored and read in parts; 0 means no limit. */
  get maxResultBytes(): number {
    return this.#config.maxResultBytes;
  }

  /** The only visible collections of the lake; undefined means all. */
  get collections(): readonly string[] | undefined {
    return this.#config.collections;
  }

  unknownTool(name: string): ProtocolFault {
    const isListed = this.#config.mode === 'full';
    const advice = isListed ? 'tools/list shows all tools' : 'search_tools finds tools by what they do';
    return unknownTool(name, this.catalog.namesNear(name), advice);
  }

  /** What `tools/list` shows a client. */
  get listedTools(): readonly Json[] {
    // A client that lists such a view will probably search it next.
    if (!this.#isPrepared && this.#config.mode !== 'full') this.service.prepare(this.runsPrograms);
    this.#isPrepared = true;
    return this.definitions;
  }

  /** Every tool, or those that find and call the rest. */
  get definitions(): readonly Json[] {
    const { mode } = this.#config;
    const can = this.#can;
    const isListed = ({ name, member }: Entry) =>
      member.isOwn ? listsOwnTool(name, this.#config, can) : mode === 'full';
    this.#listed ??= this.catalog.tools.entries.filter(isListed).map((entry) => this.#listedDefinition(entry));
    return this.#listed;
  }

  /** Atoll's own tools that call tools of servers need those to be in the view. */
  offers({ name, member }: Entry): boolean {
    return !member.isOwn || hasNeedsOf(name, this.#can);
  }

  get #can(): OwnToolNeeds {
    return { save: canSave(this.catalog), queryTables: canQueryTables(this.catalog) };
  }

  /** Definitions of other servers are shown as they are. */
  #listedDefinition({ member, definition }: Entry): Json {
    const { maxResultBytes, outputSchemas } = this.#config;
    const shown = member.supervisor.upstream.kind === 'in-process' ? lightDefinition(definition) : definition;
    // Clients would validate the summary of a large result against the tool's output schema.
    const mayBeSummary = maxResultBytes > 0 && !member.isOwn;
    if (outputSchemas && !mayBeSummary) return shown;
    const { outputSchema: _left, ...withoutAnswer } = shown;
    return withoutAnswer;
  }

  invalidate(): void {
    this.#catalog = undefined;
    this.#listed = undefined;
    this.#isPrepared = false;
    clearTimeout(this.#preparing);
    if (this.#config.mode !== 'full') {
      this.service.loadModels();
      this.#preparing = setTimeout(() => this.service.prepareSearch(), SETTLED_MS).unref();
    }
  }

  close(): void {
    clearTimeout(this.#preparing);
  }
}

/** Each server once: with the account that is named for it, which nothing replaces, else with the one of everyone else. */
function withAccounts(members: readonly Member[], accounts: ReadonlyMap<string, string>): readonly Member[] {
  return members.filter(({ supervisor, server = supervisor.key, account, isAlternative }) => {
    const named = accounts.get(server);
    return named === undefined ? !isAlternative : account === named;
  });
}

/** One list of a view, as clients get it. */
export function itemsOf(view: View, list: ListName): readonly Json[] {
  if (list === 'tools') return view.listedTools;
  if (list === 'prompts') return view.catalog.prompts.entries.map(({ definition }) => definition);
  return view.catalog[list];
}

/** The views of a configuration. */
export class Views {
  readonly #options: ViewsOptions;
  #all = new Map<string | undefined, View>();
  /** The same for callers whose tokens name accounts. */
  #personal = new Map<string, View>();

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  async apply(config: AggregatorConfig): Promise<void> {
    const all: (readonly [string | undefined, ViewConfig])[] = [[undefined, {}], ...Object.entries(config.views)];
    this.close();
    this.#all = new Map(
      all.map(([name, view]) => [name, new View(name, settingsOf(view, config), this.#options)] as const),
    );
    this.#personal = new Map(
      config.tokens.flatMap(({ accounts, views }) =>
        all
          .filter(([name]) => accounts && (!views || (name !== undefined && views.includes(name))))
          .map(([name, view]) => {
            const own = { ...view, accounts: { ...view.accounts, ...accounts } };
            return [personalKey(name, accounts), new View(name, settingsOf(own, config), this.#options)] as const;
          }),
      ),
    );
    await Promise.all(this.#every().map((view) => view.begin()));
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
    return this.#for(view, principal);
  }

  /** All views a caller may use, for routes without a view in the path. */
  openTo(principal: RequestContext['principal']): View[] {
    const names = grantedViews(principal) ?? [undefined];
    return names.flatMap((name) => this.#all.get(name) ?? []).map((view) => this.#for(view, principal));
  }

  /** All views that a caller may open by their paths. */
  grantedTo(principal: RequestContext['principal']): View[] {
    const granted = grantedViews(principal);
    return [...this.#all.values()]
      .filter(({ name }) => !granted || (name !== undefined && granted.includes(name)))
      .map((view) => this.#for(view, principal));
  }

  /** The keys of the upstreams that a caller may see; undefined means all. */
  keysFor(principal: RequestContext['principal']): ReadonlySet<string> | undefined {
    if (!grantedViews(principal) && principal?.accounts === undefined) return undefined;
    return new Set(
      this.openTo(principal).flatMap(({ catalog }) => catalog.members.map(({ supervisor }) => supervisor.key)),
    );
  }

  invalidate(): void {
    for (const view of this.#every()) view.invalidate();
  }

  close(): void {
    for (const view of this.#every()) view.close();
  }

  #every(): View[] {
    return [...this.#all.values(), ...this.#personal.values()];
  }

  /** A caller with accounts never gets the view of others, not even while the configuration changes. */
  #for(view: View, principal: RequestContext['principal']): View {
    if (principal?.accounts === undefined) return view;
    const own = this.#personal.get(personalKey(view.name, principal.accounts));
    if (!own) throw new ProtocolFault(INVALID_PARAMS, 'The accounts of this token were changed; try again');
    return own;
  }
}

const personalKey = (view: string | undefined, accounts: unknown) => JSON.stringify([view, accounts]);

const DEFAULT_MAX_RESULT_BYTES = 65_536;

function settingsOf(view: ViewConfig, config: AggregatorConfig): ViewSettings {
  const mode = view.mode ?? config.mode;
  const maxResultBytes =
    view.maxResultBytes ?? config.maxResultBytes ?? (mode === 'full' ? 0 : DEFAULT_MAX_RESULT_BYTES);
  const outputSchemas = view.outputSchemas ?? config.outputSchemas;
  return {
    ...view,
    mode,
    outputSchemas,
    maxResultBytes,
    runsPrograms: mode === 'code' || (view.runTools ?? config.runTools),
  };
}

function grantedViews(principal: RequestContext['principal']): readonly string[] | undefined {
  const views = principal?.views;
  return Array.isArray(views) ? views.map(String) : undefined;
}
