import { randomUUID } from 'node:crypto';
import type { Json, RequestContext } from '@atoll-mcp/core';
import type { CodeSession, RunResult } from '@atoll-mcp/sandbox';
import { canBeAsked } from '../upstreams/bridge/owner.ts';
import { noCalls, toolsOf } from './preludes.ts';
import { type MadeCall, namesForPrograms, ProgramCalls, type ProgramHost } from './program-calls.ts';
import type { Language } from './sandboxes.ts';
import { type Decision, type PlannedWrite, WritePlan } from './write-plan.ts';

/** The current caller; it changes when a later request confirms a paused program. */
export interface ProgramCaller {
  readonly context: RequestContext;
  readonly signal: AbortSignal;
  /** Undefined if the caller cannot be asked. */
  readonly ask?: ((method: string, params: Json) => Promise<Json>) | undefined;
}

export interface ProgramOptions {
  /** By which the activity knows its calls. */
  readonly number: number;
  readonly code: string;
  readonly language: Language;
  readonly timeoutMs: number;
  readonly caller: ProgramCaller;
  readonly host: ProgramHost;
  /** Asks a caller that can be asked to confirm writes. */
  readonly confirm: (writes: readonly PlannedWrite[], caller: ProgramCaller) => Promise<Decision>;
}

/** Writes that wait until the caller sends the plan's id. */
export interface PausedPlan {
  readonly id: string;
  readonly writes: readonly PlannedWrite[];
  decide(decision: Decision): void;
}

export type Step = { readonly ended: RunResult } | { readonly paused: PausedPlan };

const MAX_TICK_MS = 100;

/** One program: runs in a session, makes calls, and pauses for confirmations. */
export class Program {
  readonly #options: ProgramOptions;
  readonly #stop = new AbortController();
  readonly #writes: WritePlan;
  readonly #calls: ProgramCalls;
  #caller: ProgramCaller;
  #output = '';
  #progress = 0;
  #session: CodeSession | undefined;
  #leftMs: number;
  #countedAt = 0;
  /** Open questions to people. */
  #questions = 0;
  #onPause: (plan: PausedPlan) => void = () => {};
  isTimedOut = false;

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.#caller = options.caller;
    this.#leftMs = options.timeoutMs;
    this.#writes = new WritePlan({
      isBusy: () => this.#calls.isBusy || this.#session?.isWaiting === false,
      decide: (writes) => this.#whileWaiting(() => this.#decide(writes)),
    });
    this.#calls = new ProgramCalls({
      host: options.host,
      program: options.number,
      writes: this.#writes,
      context: (signal) => this.#contextOfCall(signal),
      ask: (method, params) => this.#whileWaiting(() => this.#askCaller(method, params)),
      onCall: ({ tool, outcome }) => this.#relay('notifications/progress', { message: `${tool}: ${outcome}` }),
    });
  }

  get calls(): readonly MadeCall[] {
    return this.#calls.made;
  }

  get number(): number {
    return this.#options.number;
  }

  get output(): string {
    return this.#output;
  }

  get code(): string {
    return this.#options.code;
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  async run(session: CodeSession): Promise<RunResult> {
    this.#session = session;
    this.#countedAt = performance.now();
    const timer = setInterval(() => this.#count(), Math.min(MAX_TICK_MS, this.#leftMs / 4));
    const { host, language } = this.#options;
    const names = namesForPrograms(host.viewOf(this.#caller.context));
    try {
      await session.run(toolsOf(names, language), { host: noCalls, signal: this.#stop.signal });
      return await session.run(this.#options.code, {
        host: (name, args, signal) => this.#calls.call(name, args, signal) as Promise<never>,
        returnValue: true,
        onOutput: (_stream, text) => {
          this.#output += text;
        },
        signal: this.#stop.signal,
      });
    } finally {
      this.#writes.close();
      clearInterval(timer);
    }
  }

  /** Resolves when the program ends or pauses. A caller that disconnects stops it. */
  async next(done: Promise<RunResult>, caller: ProgramCaller): Promise<Step> {
    this.#caller = caller;
    const stop = () => this.stop();
    if (caller.signal.aborted) stop();
    caller.signal.addEventListener('abort', stop, { once: true });
    try {
      const paused = new Promise<PausedPlan>((resolve) => {
        this.#onPause = resolve;
      });
      return await Promise.race([done.then((ended) => ({ ended })), paused.then((plan) => ({ paused: plan }))]);
    } finally {
      caller.signal.removeEventListener('abort', stop);
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  #decide(writes: readonly PlannedWrite[]): Promise<Decision> {
    if (canBeAsked(this.#caller.context, 'elicitation/create')) return this.#options.confirm(writes, this.#caller);
    return new Promise((resolve) => this.#onPause({ id: randomUUID(), writes, decide: resolve }));
  }

  async #askCaller(method: string, params: Json): Promise<Json> {
    const { ask } = this.#caller;
    if (!ask) throw new Error('The calling client cannot be asked');
    return ask(method, params);
  }

  /** A program's calls count as its caller's, in the current era. */
  #contextOfCall(signal: AbortSignal): RequestContext {
    const { client, capabilities, meta, path, principal, session } = this.#caller.context;
    return {
      era: 'modern',
      client,
      capabilities: this.#caller.ask ? capabilities : {},
      meta: { ...meta, ...(meta.progressToken !== undefined && { progressToken: randomUUID() }) },
      signal,
      notify: async (method, params) => this.#relay(method, params),
      ...(path !== undefined && { path }),
      ...(principal && { principal }),
      ...(session && { session }),
    };
  }

  /** Progress of calls is progress of the program, counted here so that it never decreases. */
  #relay(method: string, params: Json): void {
    const { context } = this.#caller;
    const { progressToken } = context.meta;
    if (method !== 'notifications/progress') void context.notify(method, params).catch(() => {});
    if (method !== 'notifications/progress' || progressToken === undefined) return;
    const { message } = params;
    const report = { progressToken, progress: ++this.#progress, ...(typeof message === 'string' && { message }) };
    void context.notify(method, report).catch(() => {});
  }

  async #whileWaiting<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#count();
    this.#questions++;
    try {
      return await wait();
    } finally {
      this.#count();
      this.#questions--;
    }
  }

  /** Time that a program waits for people does not count, unless it computes meanwhile. */
  #count(): void {
    const now = performance.now();
    const isPaused = this.#questions > 0 && this.#session?.isWaiting !== false;
    if (!isPaused) this.#leftMs -= now - this.#countedAt;
    this.#countedAt = now;
    if (this.#leftMs > 0 || this.isTimedOut) return;
    this.isTimedOut = true;
    this.stop();
  }
}
