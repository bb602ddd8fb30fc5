import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Failure } from '../interface.ts';

const MAX_MESSAGE = 4_000;
const MAX_TRACEBACK = 16_000;
export const INTERRUPTED: Failure = { kind: 'interrupted', message: '' };

/** What was thrown, as a failure. Everything about it comes from untrusted code. */
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
    traceback: `${line}\n${ownFrames(text(stack ?? ''))}`.trim().slice(0, MAX_TRACEBACK),
  };
}

/** Without the functions that the sandbox gives to the code. */
function ownFrames(stack: string): string {
  const frames = stack.slice(0, 2 * MAX_TRACEBACK).split('\n');
  return frames.filter((frame) => !frame.includes('(prelude.js:')).join('\n');
}

/** Not an Error, or one that could not be taken apart for want of memory. */
function thrownValue(thrown: unknown): Failure {
  const message = text(thrown).slice(0, MAX_MESSAGE);
  return message.includes('out of memory')
    ? { kind: 'memory', message: '' }
    : { kind: 'exception', message: `Thrown: ${message}` };
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
