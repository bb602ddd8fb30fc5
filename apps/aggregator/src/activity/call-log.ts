import { type Json, type Outcome, ProtocolFault, RawResult, type RequestContext } from '@atoll-mcp/core';
import type { Outcome as Verdict } from '../metrics/call-metrics.ts';
import { clip, clipText } from './bounded.ts';

/** Larger arguments and results are truncated. */
const MAX_KEPT = 16_000;

export interface FinishedCall {
  readonly context: RequestContext;
  readonly upstream: string;
  /** The name that the caller used, and the server's own. */
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
  readonly verdict: Verdict;
  readonly outcome: Outcome;
  readonly ms: number;
  readonly sentChars: number;
  readonly answerChars: number;
  /** Number of the program that made the call, or that the call ran. */
  readonly program?: number | undefined;
}

export interface LoggedCall {
  readonly id: number;
  readonly at: number;
  readonly ms: number;
  readonly caller: string;
  readonly client: string | undefined;
  readonly view: string | undefined;
  readonly upstream: string;
  readonly name: string;
  readonly tool: string;
  readonly verdict: Verdict;
  readonly code: number | undefined;
  readonly sentChars: number;
  readonly answerChars: number;
  readonly args: unknown;
  readonly answer: Outcome | undefined;
  readonly isClipped: boolean;
  readonly program: number | undefined;
}

/** The latest calls, in a ring: recording one costs the same however many there were. */
export class CallLog {
  readonly #capacity: number;
  readonly #withBodies: boolean;
  readonly #ring: LoggedCall[] = [];
  readonly #now: () => number;
  #recorded = 0;

  constructor(options: { capacity: number; withBodies: boolean; now?: () => number }) {
    this.#capacity = options.capacity;
    this.#withBodies = options.withBodies;
    this.#now = options.now ?? Date.now;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get keepsBodies(): boolean {
    return this.#withBodies;
  }

  /** Number of calls so far, kept or not; also the id of the latest. */
  get recorded(): number {
    return this.#recorded;
  }

  record(call: FinishedCall): void {
    if (this.#capacity === 0) return;
    const { context, upstream, name, tool, args, verdict, outcome, ms, sentChars, answerChars, program } = call;
    const isClipped = sentChars > MAX_KEPT || answerChars > MAX_KEPT;
    const id = ++this.#recorded;
    this.#ring[(id - 1) % this.#capacity] = {
      id,
      at: this.#now(),
      ms,
      caller: context.principal?.id ?? context.client.id,
      client: context.client.name,
      view: context.path,
      upstream,
      name,
      tool,
      verdict,
      code: outcome instanceof ProtocolFault ? outcome.code : undefined,
      sentChars,
      answerChars,
      args: this.#withBodies ? (sentChars > MAX_KEPT ? clip(args) : args) : undefined,
      answer: this.#withBodies ? (answerChars > MAX_KEPT ? clipAnswer(outcome) : outcome) : undefined,
      isClipped: this.#withBodies && isClipped,
      program,
    };
  }

  find(id: number): LoggedCall | undefined {
    const call = this.#ring[(id - 1) % this.#capacity];
    return call?.id === id ? call : undefined;
  }

  /** Newest first. */
  *newest(): Generator<LoggedCall> {
    for (let id = this.#recorded; id > 0; id--) {
      const call = this.find(id);
      if (!call) return;
      yield call;
    }
  }
}

function clipAnswer(outcome: Outcome): Json | Error {
  if (outcome instanceof Error) return outcome;
  if (outcome instanceof RawResult) return { content: [{ type: 'text', text: clipText(outcome.text, 4_000) }] };
  const { content, isError } = outcome;
  return { content: clip(content ?? outcome), ...(isError === true && { isError }) } as Json;
}
