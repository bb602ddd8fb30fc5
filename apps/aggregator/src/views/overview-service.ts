import { type Json, type Logger, parsedResult, type RawResult, type RequestContext, ToolError } from '@atoll-mcp/core';
import { CHARS_PER_TOKEN } from '../activity/bounded.ts';
import type { Catalog, Entry } from '../catalog/catalog.ts';
import type { RunToolsInput } from '../code-mode/code-mode.ts';
import type { Programs } from '../code-mode/programs.ts';
import { VERSION } from '../contract.ts';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { pinStatus } from '../pins/pin-status.ts';
import type { TableTensorRequest } from '../results/from-memory-tables.ts';
import type { ReadRequest } from '../results/large-results.ts';
import type { SaveRequest } from '../results/save-result.ts';
import type { CallPrior } from '../search/call-prior.ts';
import { type FoundTool, ToolSearch } from '../search/tool-search.ts';
import type { EmbeddingModel, VectorCache } from '../search/vector-cache.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';

interface OverviewOptions {
  readonly catalog: () => Catalog;
  readonly callMetrics: CallMetrics;
  /** The views that a caller may open. */
  readonly views: (request: RequestContext | undefined) => readonly ListedView[];
  /** Undefined where no embedder runs. */
  readonly models: () => (() => Promise<readonly EmbeddingModel[]>) | undefined;
  /** Undefined if learning from calls is off. */
  readonly prior: CallPrior | undefined;
  readonly vectors: VectorCache;
  readonly programs: Programs;
  readonly call: (name: string, args: Json, signal: AbortSignal) => Promise<Json | RawResult>;
  readonly log: Logger;
}

/** A view as its clients see it. */
interface ListedView {
  readonly name: string | undefined;
  readonly definitions: readonly Json[];
}

/** The service behind the aggregator's own tools, per view. */
export class OverviewService {
  readonly #options: OverviewOptions;
  #loading: Promise<unknown> | undefined;
  #searched: { catalog: Catalog; search: ToolSearch } | undefined;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  status(request: RequestContext | undefined) {
    const { callMetrics, views } = this.#options;
    const upstreams = this.upstreams();
    const own = tokensOf(callMetrics.countsOf(OWN_KEY).chars);
    return {
      upstreams,
      views: views(request).map(listCost),
      call_tokens: upstreams.reduce((sum, { call_tokens }) => sum + call_tokens, own),
      version: VERSION,
      uptime_seconds: Math.round(process.uptime()),
    };
  }

  /** The upstreams of this view. */
  upstreams() {
    const { catalog, callMetrics } = this.#options;
    return catalog()
      .members.filter(({ isOwn }) => !isOwn)
      .map(({ supervisor }) => statusOf(supervisor, callMetrics));
  }

  /** Loads the models and kept vectors while servers are still joining. */
  loadModels(): void {
    const { models, vectors, log } = this.#options;
    this.#loading ??= models()?.()
      .then((all) => Promise.all([vectors.load(), ...all.map(({ embed }) => embed(['tools']))]))
      .catch((error: unknown) => log.warn('models not loaded', { error }));
  }

  /** Builds the text index of the tools and starts computing their vectors in the background. */
  prepareSearch(): void {
    this.#searchOf(this.#options.catalog()).prepare();
  }

  /** The same, and starts a sandbox. */
  prepare(runsPrograms: boolean): void {
    this.prepareSearch();
    if (runsPrograms) this.#options.programs.prepare();
  }

  async search(query: string, limit: number, client: string) {
    const catalog = this.#options.catalog();
    const { tools, usedMeaning } = await this.#searchOf(catalog).find(query, limit);
    const shown = tools.map(({ entry }) => ({ server: entry.member.supervisor.key, tool: entry.ownName }));
    this.#options.prior?.searched(client, query, shown);
    return {
      tools: tools.map(listed),
      confidence: tools[0]?.confidence ?? ('low' as const),
      total: catalog.tools.entries.length,
      ranked_by: usedMeaning ? ('words and meaning' as const) : ('words' as const),
    };
  }

  #searchOf(catalog: Catalog): ToolSearch {
    if (this.#searched?.catalog === catalog) return this.#searched.search;
    const { models, vectors, prior, log } = this.#options;
    const entries = catalog.tools.entries.filter(({ member }) => member.supervisor.key !== OWN_KEY);
    const search = new ToolSearch(entries, { models: models(), cache: vectors, prior, log });
    this.#searched = { catalog, search };
    return search;
  }

  /** One tool by itself, or several as a list. */
  async describe(names: string | readonly string[], as: 'schema' | 'typescript', request?: RequestContext) {
    const describe = async (name: string) => this.#description(await this.#entry(name, request), as);
    return typeof names === 'string' ? describe(names) : { tools: await Promise.all(names.map(describe)) };
  }

  async #description(entry: Entry, as: 'schema' | 'typescript'): Promise<Json & { name: string }> {
    if (as === 'schema') return { ...entry.definition, name: entry.name };
    return { name: entry.name, typescript: await this.#options.programs.declare(entry) };
  }

  /** A server that is starting may have it soon. */
  async #entry(name: string, request: RequestContext | undefined): Promise<Entry> {
    const { catalog, programs } = this.#options;
    const entry = catalog().tool(name) ?? (request && (await programs.find(name, request)));
    if (entry) return entry;
    const near = catalog().namesNear(name);
    const meant = near.length > 0 ? `; did you mean ${near.join(', ')}?` : ';';
    throw new ToolError('UNKNOWN_TOOL', `Unknown tool "${name}"${meant} search_tools finds the right name`);
  }

  runTools(input: RunToolsInput, request: RequestContext | undefined) {
    return this.#options.programs.run(input, callerOf(request));
  }

  readResult(wanted: ReadRequest, request: RequestContext | undefined) {
    return this.#options.programs.readResult(wanted, callerOf(request));
  }

  saveResult(wanted: SaveRequest, request: RequestContext | undefined) {
    return this.#options.programs.saveResult(wanted, callerOf(request));
  }

  fromMemoryTables(wanted: TableTensorRequest, request: RequestContext | undefined) {
    return this.#options.programs.fromMemoryTables(wanted, callerOf(request));
  }

  /** The body of the tool's result, without the protocol around it. */
  async call(name: string, args: Json, signal: AbortSignal): Promise<unknown> {
    const { structuredContent, content } = parsedResult(await this.#options.call(name, args, signal));
    return structuredContent ?? content;
  }
}

const tokensOf = (chars: number) => Math.ceil(chars / CHARS_PER_TOKEN);

/** By list: the page reads the status at every call. */
const costs = new WeakMap<readonly Json[], number>();

function listCost({ name, definitions }: ListedView) {
  const list_tokens = costs.get(definitions) ?? tokensOf(JSON.stringify({ tools: definitions }).length);
  costs.set(definitions, list_tokens);
  return { ...(name !== undefined && { name }), tools: definitions.length, list_tokens };
}

/** Programs and kept results need an owner. */
function callerOf(request: RequestContext | undefined): RequestContext {
  if (!request) throw new Error('called without a request');
  return request;
}

function listed({ entry, confidence, alternatives }: FoundTool) {
  const { title, description } = entry.definition;
  return {
    name: entry.name,
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    server: entry.member.supervisor.key,
    confidence,
    ...(alternatives.length > 0 && { alternatives: alternatives.map(({ name }) => name) }),
  };
}

/** The key under which the aggregator's own tools are listed. */
export const OWN_KEY = 'atoll';

export function statusOf(supervisor: UpstreamSupervisor, callMetrics: CallMetrics) {
  const { key, state, since, lists, link, downReason, listProblem, restarts, upstream } = supervisor;
  const reason = state === 'up' ? listProblem : downReason;
  const { name, version } = link?.serverInfo ?? {};
  const { calls, failures, chars, latestMs } = callMetrics.countsOf(key);
  return {
    key,
    state,
    since: since.toISOString(),
    kind: upstream.kind,
    ...(link && upstream.kind !== 'in-process' && { era: link.era }),
    ...(typeof name === 'string' && { server: typeof version === 'string' ? `${name} ${version}` : name }),
    tools: lists.tools.length,
    prompts: lists.prompts.length,
    resources: lists.resources.length + lists.templates.length,
    calls,
    failures,
    call_tokens: tokensOf(chars),
    latest_ms: latestMs,
    restarts,
    ...(reason !== undefined && { reason }),
    ...pinStatus(key, supervisor.pin),
  };
}
