import { parsedResult } from '@atoll-mcp/core';
import { redact } from '../access/redact.ts';
import type { Outcome } from '../metrics/call-metrics.ts';
import { CHARS_PER_TOKEN } from './bounded.ts';
import { CallLog, type FinishedCall, type LoggedCall } from './call-log.ts';
import { CallSeries } from './call-series.ts';

export interface ActivityFilter {
  readonly after?: number | undefined;
  readonly limit: number;
  readonly server?: string | undefined;
  readonly outcome?: Outcome | 'failed' | undefined;
  readonly text?: string | undefined;
  readonly program?: number | undefined;
  readonly except_client?: string | undefined;
}

/** Recent calls, for administrators. In memory only. */
export class Activity {
  readonly #log: CallLog;
  readonly #series: CallSeries;

  constructor(options: { capacity: number; withBodies: boolean; now?: () => number }) {
    this.#log = new CallLog(options);
    this.#series = new CallSeries(options.now);
  }

  record(call: FinishedCall): void {
    if (this.#log.capacity === 0) return;
    this.#log.record(call);
    this.#series.record(call.upstream, call.verdict, call.ms);
  }

  /** Newest first. `recorded` is the cursor for the next request. */
  list(filter: ActivityFilter) {
    const calls = [];
    for (const call of this.#log.newest()) {
      if (call.id <= (filter.after ?? 0) || calls.length >= filter.limit) break;
      if (matches(call, filter)) calls.push(summaryOf(call));
    }
    const { recorded, capacity, keepsBodies } = this.#log;
    return { calls, recorded, capacity, keeps_bodies: keepsBodies };
  }

  /** One call with its arguments and its answer, secrets redacted. */
  find(id: number) {
    const call = this.#log.find(id);
    if (!call) return undefined;
    return {
      ...summaryOf(call),
      clipped: call.isClipped,
      ...(call.args !== undefined && { arguments: redact(call.args) }),
      ...(call.answer !== undefined && { answer: answerOf(call.answer) }),
    };
  }

  series(minutes: number, stepSeconds: number) {
    return this.#series.of(minutes, stepSeconds);
  }
}

function summaryOf(call: LoggedCall) {
  const { id, at, ms, caller, client, view, upstream, name, tool, verdict, code, sentChars, answerChars, program } =
    call;
  return {
    id,
    at: new Date(at).toISOString(),
    ms: Math.round(ms * 1000) / 1000,
    caller,
    ...(client !== undefined && { client }),
    ...(view !== undefined && { view }),
    server: upstream,
    name,
    tool,
    outcome: verdict,
    ...(code !== undefined && { code }),
    ...(program !== undefined && { program }),
    sent_chars: sentChars,
    answer_chars: answerChars,
    about_tokens: Math.ceil((sentChars + answerChars) / CHARS_PER_TOKEN),
  };
}

function matches(call: LoggedCall, { server, outcome, text, program, except_client }: ActivityFilter): boolean {
  if (except_client !== undefined && call.client === except_client) return false;
  if (program !== undefined && call.program !== program) return false;
  if (server !== undefined && call.upstream !== server) return false;
  if (outcome === 'failed' ? call.verdict === 'ok' : outcome !== undefined && call.verdict !== outcome) return false;
  if (text === undefined || text === '') return true;
  const words = `${call.name} ${call.upstream} ${call.caller} ${call.client ?? ''}`.toLowerCase();
  return words.includes(text.toLowerCase());
}

function answerOf(answer: NonNullable<LoggedCall['answer']>): unknown {
  if (answer instanceof Error) return { error: answer.message };
  return redact(parsedResult(answer));
}
