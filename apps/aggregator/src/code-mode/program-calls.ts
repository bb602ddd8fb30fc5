import { setMaxListeners } from 'node:events';
import { isObject, type Json, parsedResult, type RawResult, type RequestContext, Semaphore } from '@atoll-mcp/core';
import type { Entry } from '../catalog/catalog.ts';
import { CALL_TOOL, READ_RESULT, RUN_TOOLS } from '../contract.ts';
import { cannotAsk } from '../errors.ts';
import { canBeAsked } from '../upstreams/bridge/owner.ts';
import type { View } from '../views/views.ts';
import { callValue, failureMessage } from './call-value.ts';
import { argumentProblem, typeOf } from './check-arguments.ts';
import type { WritePlan } from './write-plan.ts';

/** What a program can access: the same as its caller. */
export interface ProgramHost {
  /** The caller's current view; throws if it has none. */
  viewOf(context: RequestContext): View;
  find(view: View, name: string): Promise<Entry>;
  /** The path of every client call: limits, metrics, audit, activity. */
  call(view: View, params: Json, context: RequestContext, program: number): Promise<Json | RawResult>;
  /** A kept result, complete. */
  readResult(args: Json, context: RequestContext): unknown;
  learn(entry: Entry, value: unknown): void;
}

/** error: reported by the tool · fault: no response · refused: not sent · cancelled: sent, but the program ended before the response. */
type CallOutcome = 'ok' | 'error' | 'fault' | 'refused' | 'cancelled';

export interface MadeCall {
  readonly tool: string;
  readonly ms: number;
  readonly outcome: CallOutcome;
}

interface OpenCall {
  tool: string;
  readonly startedAt: number;
  isSent: boolean;
}

interface ProgramCallsOptions {
  readonly host: ProgramHost;
  /** Number of the program. */
  readonly program: number;
  readonly writes: WritePlan;
  readonly context: (signal: AbortSignal) => RequestContext;
  /** Forwards a tool's input request to the caller. */
  readonly ask: (method: string, params: Json) => Promise<Json>;
  readonly onCall: (call: MadeCall) => void;
}

/** Maximum concurrent calls; more wait. */
const CONCURRENCY = 16;
const MAX_ROUNDS = 8;
const MAX_SHOWN_NAMES = 10;
/** A program cannot start another program, and calls tools directly. */
const NOT_FOR_PROGRAMS: ReadonlySet<string> = new Set([RUN_TOOLS, CALL_TOOL]);

const isForPrograms = ({ name, member }: Entry) => !(member.isOwn && NOT_FOR_PROGRAMS.has(name));

/** The tools of a view that a program may call. */
export function namesForPrograms(view: View): string[] {
  const { entries } = view.catalog.tools;
  return entries.filter((entry) => isForPrograms(entry) && view.offers(entry)).map(({ name }) => name);
}

/** The calls of one program. Names and arguments are untrusted; the program has no more rights than its caller. */
export class ProgramCalls {
  readonly #options: ProgramCallsOptions;
  readonly #room = new Semaphore(CONCURRENCY);
  readonly #open = new Set<OpenCall>();
  readonly #ended: MadeCall[] = [];
  /** Calls that are not held back as writes. */
  #busy = 0;

  constructor(options: ProgramCallsOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** The calls so far, in the order they ended; those without an answer last. */
  get made(): readonly MadeCall[] {
    const unanswered = [...this.#open].filter(({ isSent }) => isSent).map((call) => madeOf(call, 'cancelled'));
    return [...this.#ended, ...unanswered];
  }

  /** The host function of the sandbox. */
  async call(name: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    const call: OpenCall = { tool: name, startedAt: performance.now(), isSent: false };
    let outcome: CallOutcome = 'refused';
    this.#open.add(call);
    this.#busy++;
    // All calls of a program share its signal.
    setMaxListeners(0, signal);
    try {
      const context = this.#options.context(signal);
      const entry = await this.#permitted(name, context);
      call.tool = entry.name;
      const checked = argumentsOf(entry, args);
      await this.#confirmed(entry, checked);
      const result = await this.#room.run(() => {
        call.isSent = true;
        outcome = 'fault';
        return this.#answer(entry, checked, context);
      }, signal);
      outcome = result.isError === true ? 'error' : 'ok';
      if (outcome === 'error') throw new Error(failureMessage(result));
      const value = callValue(result, entry.definition);
      this.#options.host.learn(entry, value);
      return value;
    } finally {
      this.#busy--;
      this.#open.delete(call);
      const made = madeOf(call, signal.aborted && call.isSent ? 'cancelled' : outcome);
      this.#ended.push(made);
      this.#options.onCall(made);
    }
  }

  async #permitted(name: string, context: RequestContext): Promise<Entry> {
    const { host } = this.#options;
    const entry = await host.find(host.viewOf(context), name);
    if (!isForPrograms(entry)) {
      throw new Error(`${entry.name} cannot be called in a program; call each tool as a function of tools`);
    }
    return entry;
  }

  async #confirmed({ name, member, definition }: Entry, args: Json): Promise<void> {
    const { annotations } = definition;
    if (isObject(annotations) && annotations.readOnlyHint === true) return;
    const rule = member.confirmWrites ?? 'ask';
    if (rule === 'allow') return;
    if (rule === 'deny') {
      const server = member.supervisor.key;
      throw new Error(`${name} is not marked as read-only, and "confirmWrites" of the server "${server}" is "deny"`);
    }
    this.#busy--;
    try {
      await this.#options.writes.confirmed({ tool: name, arguments: args });
    } finally {
      this.#busy++;
    }
  }

  /** The tool's result, after its input requests to the caller. */
  async #answer(entry: Entry, args: Json, context: RequestContext): Promise<Json> {
    const { host, program } = this.#options;
    const params = { name: entry.name, arguments: args };
    let request = context;
    for (let round = 0; round <= MAX_ROUNDS; round++) {
      const view = host.viewOf(context);
      const now = view.catalog.tool(entry.name);
      if (now && !isSame(now, entry)) throw new Error(`${entry.name} is now a tool of another server`);
      if (entry.member.isOwn && entry.name === READ_RESULT)
        return { structuredContent: host.readResult(args, context) };
      const result = parsedResult(await host.call(view, params, request, program));
      if (result.resultType !== 'input_required') return result;
      const { requestState } = result;
      const inputResponses = await this.#ask(result.inputRequests, context);
      request = { ...context, inputResponses, ...(typeof requestState === 'string' && { requestState }) };
    }
    throw new Error(`${entry.name} asked more than ${MAX_ROUNDS} times`);
  }

  async #ask(requests: unknown, context: RequestContext): Promise<Json> {
    const entries = Object.entries(isObject(requests) ? requests : {}).map(async ([key, question]) => {
      const { method, params } = isObject(question) ? question : {};
      if (typeof method !== 'string' || !canBeAsked(context, method)) throw cannotAsk(String(method));
      return [key, await this.#options.ask(method, isObject(params) ? params : {})] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }
}

function madeOf({ tool, startedAt }: OpenCall, outcome: CallOutcome): MadeCall {
  return { tool, ms: Math.round((performance.now() - startedAt) * 10) / 10, outcome };
}

function argumentsOf({ name, definition }: Entry, args: unknown): Json {
  const given = args ?? {};
  if (!isObject(given)) {
    const names = argumentNames(definition);
    throw new Error(`${name} takes one object with its arguments by name (${names}), not ${typeOf(given)}`);
  }
  const problem = argumentProblem(definition.inputSchema, given);
  if (problem !== undefined) throw new Error(`${name}: ${problem}; describe_tool shows its arguments`);
  return given;
}

function argumentNames({ inputSchema }: Json): string {
  const names = Object.keys(isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {});
  const shown = names.slice(0, MAX_SHOWN_NAMES).join(', ') || 'none';
  return names.length > MAX_SHOWN_NAMES ? `${shown}, …` : shown;
}

function isSame(one: Entry, other: Entry): boolean {
  return one.member.supervisor.key === other.member.supervisor.key && one.ownName === other.ownName;
}
