import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Failure } from '../interface.ts';
import type { PendingCalls } from './pending-calls.ts';
import { repeatable } from './top-level.ts';

export type Outcome =
  | { readonly failure: Failure; readonly handle?: undefined }
  | { readonly failure?: undefined; readonly handle: QuickJSHandle };

/** Flags of QuickJS's own that its wrapper does not name. With the first, a script may await at its top level. */
const ASYNC_SCRIPT = 1 << 7;
const COMPILE_ONLY = 1 << 5;
const FILE = 'code.js';
const MAX_MESSAGE = 4_000;
const MAX_TRACEBACK = 16_000;
const INTERRUPTED: Failure = { kind: 'interrupted', message: '' };

/** Runs a script to its end, calls of host functions included. */
export async function runScript(context: QuickJSContext, code: string, calls: PendingCalls): Promise<Outcome> {
  const script = repeatable(code);
  const isAsync = /\bawait\b/.test(code);
  const first = context.evalCode(script, FILE, isAsync ? ASYNC_SCRIPT : 0);
  if (first.error && endsInReturn(context, first.error, script)) {
    first.error.dispose();
    return settleWithCalls(context, context.evalCode(`(async () => {${code}\n})()`, FILE, 0), calls);
  }
  const outcome = await settleWithCalls(context, first, calls);
  if (!isAsync || outcome.failure) return outcome;
  // An async script gives {value}, so that a promise as its last value is not awaited by itself.
  using wrapped = outcome.handle;
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
    if (!failure && (await calls.settleSome())) continue;
    value.dispose();
    return { failure: failure ?? INTERRUPTED };
  }
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

export function failureOf(context: QuickJSContext, error: QuickJSHandle): Failure {
  const thrown = dump(context, error);
  error.dispose();
  // Without memory left there is no error object either.
  if (thrown === null && isFull(context)) return { kind: 'memory', message: '' };
  if (typeof thrown !== 'object' || thrown === null || !Object.hasOwn(thrown, 'name')) return thrownValue(thrown);
  const { name, message, stack } = thrown as { name: unknown; message?: unknown; stack?: unknown };
  if (name === 'InternalError' && message === 'out of memory') return { kind: 'memory', message: '' };
  if (name === 'InternalError' && message === 'interrupted') return INTERRUPTED;
  const line = `${text(name)}: ${text(message ?? '')}`.slice(0, MAX_MESSAGE);
  return {
    kind: 'exception',
    message: line,
    traceback: `${line}\n${text(stack ?? '')}`.trim().slice(0, MAX_TRACEBACK),
  };
}

/** Not an Error, or one that could not be taken apart for want of memory. */
function thrownValue(thrown: unknown): Failure {
  const words = text(thrown).slice(0, MAX_MESSAGE);
  return words.includes('out of memory')
    ? { kind: 'memory', message: '' }
    : { kind: 'exception', message: `Thrown: ${words}` };
}

function dump(context: QuickJSContext, handle: QuickJSHandle): unknown {
  try {
    return context.dump(handle);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** Objects come from untrusted code: one with a `toString` of its own would throw here. */
function text(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return 'an object that cannot be shown';
  }
}

function isFull(context: QuickJSContext): boolean {
  const usage = context.runtime.computeMemoryUsage().consume((handle) => context.dump(handle));
  return !(usage?.memory_used_size < usage?.malloc_limit / 2);
}
