import {
  INVALID_PARAMS,
  isObject,
  type Json,
  METHOD_NOT_FOUND,
  methodNotFound,
  type Outcome,
  ProtocolFault,
  parsedResult,
  type RawResult,
  RESOURCE_NOT_FOUND,
  type RequestContext,
} from '@atoll-mcp/core';
import { collectionLimits, withLimits } from '../access/collection-limits.ts';
import type { RateLimiter } from '../access/rate-limiter.ts';
import type { Entry, Member } from '../catalog/catalog.ts';
import { NO_LISTS } from '../catalog/lists.ts';
import { foldName } from '../catalog/naming.ts';
import { callValue } from '../code-mode/call-value.ts';
import { CALL_TOOL } from '../contract.ts';
import { toolHeldBack, unknownPrompt, unknownResource } from '../errors.ts';
import type { LargeResults } from '../results/large-results.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { ClientSessions } from '../upstreams/bridge/client-sessions.ts';
import type { UpstreamRequest } from '../upstreams/interface.ts';
import { within } from '../upstreams/wire/within.ts';
import { type CallRecords, recordCall } from './record-call.ts';
import { seenResources } from './seen-resources.ts';
import type { View } from './views.ts';

/** How long a call of an unknown name waits for servers that are starting. */
const MATCHING_PREFIX_WAIT_MS = 20_000;
const UNKNOWN_NAME_WAIT_MS = 3_000;
const IN_PROCESS_WAIT_MS = 20_000;

interface RouterOptions extends CallRecords {
  readonly sessions: ClientSessions;
  readonly limiter: RateLimiter;
  readonly tracing?: Tracing | undefined;
  readonly results: LargeResults;
}

/** Finds the upstream of a request and forwards it under the upstream's own names. */
export class Router {
  readonly #options: RouterOptions;
  limiter: RateLimiter;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.limiter = options.limiter;
  }

  /** A client's call. A result beyond the view's limit is stored and summarized. */
  callTool(view: View, params: Json, context: RequestContext): Promise<Json | RawResult> {
    return this.#call(view, params, context, { isRead: true });
  }

  /** A program's call: the same without the size limit, because no model reads the result. */
  call(view: View, params: Json, context: RequestContext, program?: number): Promise<Json | RawResult> {
    return this.#call(view, params, context, { isRead: false, program });
  }

  /** Finds a tool by name; waits for servers that are starting if necessary. */
  async find(view: View, name: string): Promise<Entry> {
    return view.catalog.tool(name) ?? (await this.#findLater(view, name));
  }

  async #call(view: View, params: Json, context: RequestContext, by: CalledBy): Promise<Json | RawResult> {
    const name = textOf(params.name);
    const entry = view.catalog.tool(name) ?? (await this.#findLater(view, name));
    context.foundTool?.(entry.definition);
    if (entry.member.isOwn && entry.name === CALL_TOOL && isObject(params.arguments)) {
      return this.#call(
        view,
        { ...params, name: params.arguments.name, arguments: params.arguments.arguments ?? {} },
        context,
        by,
      );
    }
    this.limiter.take(context);
    const { member, ownName } = entry;
    const startedAt = performance.now();
    const sent = params.name === ownName ? params : { ...params, name: ownName };
    const trace = this.#options.tracing?.begin({ upstream: member.supervisor.key, tool: ownName }, context.meta);
    const caller = trace ? { ...context, signal: context.signal, meta: trace.meta } : context;
    let outcome: Outcome;
    try {
      outcome = await this.#send(view, member, 'tools/call', sent, caller);
    } catch (error) {
      outcome = error as Error;
    }
    trace?.end(outcome);
    const shown = by.isRead ? this.#bounded(outcome, view, entry, context) : undefined;
    const { program } = by;
    recordCall(this.#options, { entry, args: params.arguments, context, startedAt, outcome, shown, program });
    const result = shown ?? outcome;
    if (result instanceof Error) throw result;
    return result;
  }

  /** What the caller's model reads of an outcome. Atoll's own tools limit their results themselves. */
  #bounded(
    outcome: Outcome,
    { maxResultBytes }: View,
    { member, definition }: Entry,
    context: RequestContext,
  ): Outcome {
    if (maxResultBytes === 0 || member.isOwn) return outcome;
    return this.#options.results.bounded(outcome, maxResultBytes, context, (result) => callValue(result, definition));
  }

  async route(view: View, method: string, params: Json, context: RequestContext): Promise<Json | RawResult> {
    if (method === 'prompts/get') {
      const entry = view.catalog.prompt(textOf(params.name));
      if (!entry) throw unknownPrompt(textOf(params.name));
      return this.#send(view, entry.member, method, { ...params, name: entry.ownName }, context);
    }
    if (method.startsWith('resources/')) return this.#resource(view, method, params, context);
    if (method === 'completion/complete') return this.#complete(view, params, context);
    return this.#firstThatKnows(view, method, params, context);
  }

  /**
   * Waits briefly for upstreams that are starting and have no cached lists. In-process upstreams are waited for longer:
   * without them a list would be empty.
   */
  async settled(view: View, waitMs: number): Promise<void> {
    const now = performance.now();
    const leftOf = ({ supervisor }: Member) =>
      supervisor.startedAt + (supervisor.upstream.kind === 'in-process' ? IN_PROCESS_WAIT_MS : waitMs) - now;
    const starting = view.catalog.members.filter(
      (member) => member.supervisor.state === 'starting' && member.supervisor.lists === NO_LISTS && leftOf(member) > 0,
    );
    await Promise.all(
      starting.map((member) =>
        within(
          leftOf(member),
          member.supervisor.ready().catch(() => {}),
        ),
      ),
    );
  }

  async resourcesFor(view: View, context: RequestContext): Promise<readonly Json[]> {
    const { catalog } = view;
    if (!collectionLimits(view, context.principal)) return catalog.resources;
    return seenResources(catalog, async (member, params) =>
      parsedResult(await this.#send(view, member, 'resources/list', params, context)),
    );
  }

  /** An unlisted name may belong to an upstream that is starting, or to one whose failure explains the call's. */
  async #findLater(view: View, name: string): Promise<Entry> {
    if (!view.catalog.absentOwnerOf(name)) await this.#started(view, name);
    const late = view.catalog.tool(name);
    if (late) return late;
    const owner = view.catalog.absentOwnerOf(name) ?? (await view.catalog.silentOwnerOf(name));
    await owner?.supervisor.ready();
    const entry = view.catalog.tool(name);
    if (entry) return entry;
    const holder = view.catalog.heldBackOwnerOf(name);
    throw holder ? toolHeldBack(name, holder.supervisor) : view.unknownTool(name);
  }

  /** Waits for servers that may own the name: longer for one whose prefix matches. */
  async #started(view: View, name: string): Promise<void> {
    const folded = foldName(name);
    const starting = view.catalog.members.filter(({ supervisor }) => supervisor.state === 'starting');
    const likely = starting.filter(({ prefix }) => prefix !== '' && folded.startsWith(foldName(prefix)));
    const waitMs = likely.length > 0 ? MATCHING_PREFIX_WAIT_MS : UNKNOWN_NAME_WAIT_MS;
    const awaited = likely.length > 0 ? likely : starting;
    const leftMs = Math.max(0, ...awaited.map(({ supervisor }) => supervisor.startedAt + waitMs - performance.now()));
    await within(leftMs, Promise.all(awaited.map(({ supervisor }) => supervisor.ready().catch(() => {}))));
  }

  async #resource(view: View, method: string, params: Json, context: RequestContext): Promise<Json | RawResult> {
    if (typeof params.uri !== 'string') throw unknownResource('', INVALID_PARAMS);
    const { uri } = params;
    const owner = view.catalog.ownerOf(uri);
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      const { sessions } = this.#options;
      if (!owner) throw unknownResource(uri, RESOURCE_NOT_FOUND);
      const isBegin = method === 'resources/subscribe';
      // Limited callers get no notifications about resources that they cannot read.
      if (isBegin && collectionLimits(view, context.principal)) await this.#send(view, owner, READ, { uri }, context);
      if (!sessions.setSubscribed(context.session?.id, uri, isBegin)) return {};
      try {
        await (isBegin ? owner.supervisor.watch(uri) : owner.supervisor.unwatch(uri));
      } catch (error) {
        if (isBegin) sessions.setSubscribed(context.session?.id, uri, false);
        throw error;
      }
      return {};
    }
    if (owner) return this.#send(view, owner, method, params, context);
    const unknown = () => unknownResource(uri, RESOURCE_NOT_FOUND);
    const candidates = view.catalog.candidatesFor(uri);
    return this.#firstThatKnows(view, method, params, context, 'resources', unknown, candidates);
  }

  async #complete(view: View, params: Json, context: RequestContext): Promise<Json | RawResult> {
    const ref = isObject(params.ref) ? params.ref : {};
    if (ref.type === 'ref/prompt') {
      const entry = view.catalog.prompt(textOf(ref.name));
      if (!entry) throw unknownPrompt(textOf(ref.name));
      const own = { ...params, ref: { ...ref, name: entry.ownName } };
      return this.#send(view, entry.member, 'completion/complete', own, context);
    }
    const owner = view.catalog.ownerOf(textOf(ref.uri));
    if (!owner) throw unknownResource(textOf(ref.uri), INVALID_PARAMS);
    return this.#send(view, owner, 'completion/complete', params, context);
  }

  /** For requests without an owner: the first upstream that does not report it as unknown. */
  async #firstThatKnows(
    view: View,
    method: string,
    params: Json,
    context: RequestContext,
    capability?: string,
    unknown: () => Error = () => methodNotFound(method),
    candidates = view.catalog.members,
  ): Promise<Json | RawResult> {
    for (const member of candidates) {
      const { link } = member.supervisor;
      if (!link || member.isOwn || (capability !== undefined && link.capabilities[capability] === undefined)) continue;
      try {
        return await this.#send(view, member, method, params, context);
      } catch (error) {
        if (!(error instanceof ProtocolFault) || !MEANS_UNKNOWN.has(error.code)) throw error;
      }
    }
    throw unknown();
  }

  #send(view: View, member: Member, method: string, params: Json, context: RequestContext): Promise<Json | RawResult> {
    return member.supervisor.request(this.#requestTo(view, member, method, params, context));
  }

  /** Every request to an upstream is sent here, so that it carries its caller's limits. */
  #requestTo(view: View, { timeoutMs }: Member, method: string, params: Json, caller: RequestContext): UpstreamRequest {
    const context = withLimits(view, caller);
    if (context.era === 'modern') return { method, params, context, timeoutMs };
    return { method, params, context, timeoutMs, logLevel: this.#options.sessions.levelOf(context.session?.id) };
  }
}

interface CalledBy {
  /** Whether a model reads the result. */
  readonly isRead: boolean;
  /** Number of the program that calls. */
  readonly program?: number | undefined;
}

/** Clients may send anything; a name that is not a string matches no tool. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const READ = 'resources/read';
const MEANS_UNKNOWN = new Set([METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, INVALID_PARAMS]);
