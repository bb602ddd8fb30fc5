import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Failure } from '../interface.ts';
import { failureOf } from './failure.ts';
import type { PendingCalls } from './pending-calls.ts';
import { repeatable } from './top-level.ts';

export type Outcome =
  | { readonly failure: Failure; readonly handle?: undefined }
  | { readonly failure?: undefined; readonly handle: QuickJSHandle };

/** Flags of QuickJS's own that its wrapper does not name. With the first, a script may await at its top level. */
const ASYNC_SCRIPT = 1 << 7;
const COMPILE_ONLY = 1 << 5;
const FILE = 'code.js';

/** Runs a script to its end, calls of host functions included. */
export async function runScript(context: QuickJSContext, code: string, calls: PendingCalls): Promise<Outcome> {
  const script = repeatable(code);
  const isAsync = /\bawait\b/.test(code);
  const first = context.evalCode(script, FILE, isAsync ? ASYNC_SCRIPT : 0);
  if (first.error && endsInReturn(context, first.error, script)) {
    first.error.dispose();
    const wrapped = context.evalCode(`(async () => {${code}\n})()`, FILE, 0);
    return finished(context, await settleWithCalls(context, wrapped, calls));
  }
  const outcome = await settleWithCalls(context, first, calls);
  if (!isAsync) return outcome;
  const ended = finished(context, outcome);
  if (ended.failure) return ended;
  // An async script gives {value}, so that a promise as its last value is not awaited by itself.
  using wrapped = ended.handle;
  return settleWithCalls(context, { value: context.getProp(wrapped, 'value') }, calls);
}

type Result = { readonly error: QuickJSHandle } | { readonly error?: undefined; readonly value: QuickJSHandle };

/** Lets pending promises run, and takes the value of a promise where one was returned. */
export function settle(context: QuickJSContext, result: Result): Outcome {
  if (result.error) return { failure: failureOf(context, result.error) };
  const failure = runJobs(context);
  if (!failure) return settledValue(context, result.value);
  result.value.dispose();
  return { failure };
}

/** The same, and waits until every call is settled, unless the code has failed before. */
async function settleWithCalls(context: QuickJSContext, result: Result, calls: PendingCalls): Promise<Outcome> {
  if (result.error) return { failure: failureOf(context, result.error) };
  const { value } = result;
  for (;;) {
    const failure = runJobs(context) ?? rejection(context, value);
    if (!failure && calls.isEmpty) return settledValue(context, value);
    const problem = failure ?? (await calls.settleSome());
    if (!problem) continue;
    value.dispose();
    return { failure: problem };
  }
}

/** A program that waits for what never happens has not ended well. */
function finished(context: QuickJSContext, outcome: Outcome): Outcome {
  if (outcome.failure || !isPending(context, outcome.handle)) return outcome;
  outcome.handle.dispose();
  return { failure: { kind: 'exception', message: 'Error: The code waits for a promise that is never settled' } };
}

export function isPending(context: QuickJSContext, handle: QuickJSHandle): boolean {
  const state = context.getPromiseState(handle);
  if (state.type === 'fulfilled' && !state.notAPromise) state.value.dispose();
  if (state.type === 'rejected') state.error.dispose();
  return state.type === 'pending';
}

function runJobs(context: QuickJSContext): Failure | undefined {
  const jobs = context.runtime.executePendingJobs();
  return jobs.error ? failureOf(context, jobs.error as QuickJSHandle) : undefined;
}

function rejection(context: QuickJSContext, value: QuickJSHandle): Failure | undefined {
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled' && !state.notAPromise) state.value.dispose();
  return state.type === 'rejected' ? failureOf(context, state.error) : undefined;
}

function settledValue(context: QuickJSContext, value: QuickJSHandle): Outcome {
  const state = context.getPromiseState(value);
  if (state.type === 'pending' || (state.type === 'fulfilled' && state.notAPromise)) return { handle: value };
  value.dispose();
  return state.type === 'rejected' ? { failure: failureOf(context, state.error) } : { handle: state.value };
}

/** Whether a script failed, before any of it ran, because it returns at its top level. */
function endsInReturn(context: QuickJSContext, error: QuickJSHandle, script: string): boolean {
  using message = context.getProp(error, 'message');
  if (context.typeof(message) !== 'string' || context.getString(message) !== 'return not in a function') return false;
  const compiled = context.evalCode(script, FILE, ASYNC_SCRIPT | COMPILE_ONLY);
  (compiled.error ?? compiled.value).dispose();
  return compiled.error !== undefined;
}
